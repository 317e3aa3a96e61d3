//! Divides a rectangle among weights, and takes padding from rectangles.

use crate::tessera::*;

crate::tessera::choices! {
    /// How a rectangle is divided.
    pub enum Tiling {
        Squarified = "squarified", Binary = "binary", Slice = "slice", Dice = "dice",
        SliceDice = "sliceDice",
    }
}

/// What a tiling needs besides weights and a rectangle.
pub struct Tiler {
    tiling: Tiling,
    ratio: f64,
    padding: f64,
    /// The sum of the weights from each one to the last. Kept, so that memory is touched once.
    rest: Vec<f64>,
    /// For binary: the sum of the weights before each one, and what its rounding has lost.
    before: Vec<(f64, f64)>,
    pending: Vec<(usize, usize, Rect)>,
}

impl Tiler {
    pub fn new() -> Tiler {
        Tiler {
            tiling: Tiling::Squarified,
            ratio: 1.0,
            padding: 0.0,
            rest: Vec::new(),
            before: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Sets the parameters; `padding` lies between neighbours.
    pub fn set(&mut self, tiling: Tiling, ratio: f64, padding: f64) {
        (self.tiling, self.ratio, self.padding) = (tiling, ratio, padding);
    }

    /// Divides a rectangle among weights, all above 0, in their order. `depth` is that of what is
    /// placed: 0 for sections. O(n), binary O(n log n).
    #[inline(always)] // The rectangle stays in registers, which groups of few children notice.
    pub fn tile(&mut self, weights: &[f64], rect: Rect, depth: usize, frames: &mut [Rect]) {
        let half = self.padding / 2.0;
        let grown = Rect::new(
            rect.x - half,
            rect.y - half,
            rect.width + self.padding,
            rect.height + self.padding,
        );
        match self.tiling {
            Tiling::Squarified => self.squarify(weights, grown, frames),
            Tiling::Binary => self.halve(weights, grown, frames),
            Tiling::Slice => stack(weights, weights.iter().sum(), grown, frames),
            Tiling::Dice => line_up(weights, weights.iter().sum(), grown, frames),
            Tiling::SliceDice if depth % 2 == 1 => {
                stack(weights, weights.iter().sum(), grown, frames)
            }
            Tiling::SliceDice => line_up(weights, weights.iter().sum(), grown, frames),
        }
        if half > 0.0 {
            for frame in frames {
                *frame = inset(*frame, Insets::new(half, half, half, half), rect);
            }
        }
    }

    /// Rows as Bruls, Huizing and van Wijk (2000), for squares or for another target ratio.
    #[inline(always)]
    fn squarify(&mut self, weights: &[f64], mut free: Rect, frames: &mut [Rect]) {
        // From the end, because subtracting each row from the total would lose what small weights
        // contribute.
        self.rest.resize(weights.len() + 1, 0.0);
        self.rest[weights.len()] = 0.0;
        let mut sum = 0.0;
        for (rest, weight) in self.rest.iter_mut().zip(weights).rev() {
            sum += weight;
            *rest = sum;
        }

        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let mut first = 0;
        while first < weights.len() {
            let rest = self.rest[first];
            let shape = larger(free.height / free.width, free.width / free.height);
            let alpha = shape / (rest * self.ratio);
            let mut sum = weights[first];
            let (mut least, mut greatest) = (sum, sum);
            let beta = sum * sum * alpha;
            let mut worst = larger(greatest / beta, beta / least);
            let mut end = first + 1;
            for &weight in &weights[end..] {
                let longer = sum + weight;
                least = if weight < least { weight } else { least };
                greatest = larger(weight, greatest);
                let beta = longer * longer * alpha;
                // Without an area, these are infinite or no numbers, and every item joins.
                let with_it = larger(greatest / beta, beta / least);
                if with_it > worst {
                    break;
                }
                (worst, sum) = (with_it, longer);
                end += 1;
            }

            let (row, frames) = (&weights[first..end], &mut frames[first..end]);
            let (part, left) = (sum / rest, self.rest[end] / rest);
            if free.width < free.height {
                let height = free.height * part;
                line_up(row, sum, Rect { height, ..free }, frames);
                free.y += height;
                free.height *= left;
            } else {
                let width = free.width * part;
                stack(row, sum, Rect { width, ..free }, frames);
                free.x += width;
                free.width *= left;
            }
            first = end;
        }
    }

    /// Two parts whose sums are as equal as the order allows, each divided likewise.
    fn halve(&mut self, weights: &[f64], rect: Rect, frames: &mut [Rect]) {
        let Tiler { before, pending, .. } = self;
        before.clear();
        let (mut sum, mut lost) = (0.0, 0.0);
        before.push((0.0, 0.0));
        for &weight in weights {
            // What the sum is short of, exactly (Knuth's two-sum).
            let longer: f64 = sum + weight;
            let added = longer - sum;
            lost += (sum - (longer - added)) + (weight - added);
            sum = longer;
            before.push((sum, lost));
        }
        let sum = |from: usize, to: usize| {
            (before[to].0 - before[from].0) + (before[to].1 - before[from].1)
        };

        pending.clear();
        if !weights.is_empty() {
            pending.push((0, weights.len(), rect));
        }
        while let Some((first, end, rect)) = pending.pop() {
            if end - first == 1 {
                frames[first] = rect;
                continue;
            }
            let total = sum(first, end);
            let half = total / 2.0;
            // The first place where the left part is at least half, or the one before it.
            let (mut at, mut high) = (first + 1, end - 1);
            while at < high {
                let middle = (at + high) / 2;
                if sum(first, middle) < half {
                    at = middle + 1;
                } else {
                    high = middle;
                }
            }
            if at > first + 1 && half - sum(first, at - 1) < sum(first, at) - half {
                at -= 1;
            }
            // Weights may be lost beside what is before them. Then they have no area, but a place.
            let share = |part: f64| if total > 0.0 { (part / total).clamp(0.0, 1.0) } else { 0.5 };
            let (left, right) = (share(sum(first, at)), share(sum(at, end)));
            let (mut one, mut other) = (rect, rect);
            if rect.width > rect.height {
                one.width *= left;
                other.width *= right;
                other.x += one.width;
            } else {
                one.height *= left;
                other.height *= right;
                other.y += one.height;
            }
            pending.push((at, end, other));
            pending.push((first, at, one));
        }
    }
}

/// Slices: one below the other.
fn stack(weights: &[f64], sum: f64, rect: Rect, frames: &mut [Rect]) {
    line(weights, [rect.x, rect.y], [0.0, unit(rect.height, sum)], [rect.width, 0.0], frames);
}

/// Dice: one beside the other.
fn line_up(weights: &[f64], sum: f64, rect: Rect, frames: &mut [Rect]) {
    line(weights, [rect.x, rect.y], [unit(rect.width, sum), 0.0], [0.0, rect.height], frames);
}

/// What is as long as a weight of 1. It is finite where the weights are almost 0, so that they are
/// placed.
fn unit(length: f64, sum: f64) -> f64 {
    (length / sum).min(f64::MAX)
}

/// Places rectangles one after the other, each as long as its weight times the unit. It counts in
/// pairs of x and y, because a processor works on both at once, and stores both at once.
#[inline(always)]
fn line(
    weights: &[f64], mut origin: [f64; 2], unit: [f64; 2], across: [f64; 2], frames: &mut [Rect],
) {
    for (frame, weight) in frames.iter_mut().zip(weights) {
        let length = [weight * unit[0], weight * unit[1]];
        let [width, height] = [length[0] + across[0], length[1] + across[1]];
        *frame = Rect { x: origin[0], y: origin[1], width, height };
        origin = [origin[0] + length[0], origin[1] + length[1]];
    }
}

/// A rectangle less insets; a side without room left becomes its middle, within `bounds`.
#[inline]
pub fn inset(rect: Rect, insets: Insets, bounds: Rect) -> Rect {
    let (x, width) =
        shorten(rect.x, rect.width, insets.left, insets.right, bounds.x, bounds.width);
    let (y, height) =
        shorten(rect.y, rect.height, insets.top, insets.bottom, bounds.y, bounds.height);
    Rect::new(x, y, width, height)
}

#[inline]
fn shorten(
    start: f64, length: f64, before: f64, after: f64, low: f64, reach: f64,
) -> (f64, f64) {
    let left = length - before - after;
    if left >= 0.0 {
        return (start + before, left);
    }
    let middle = start + (length + (before - after)) / 2.0;
    (middle.clamp(low, low + reach), 0.0)
}
