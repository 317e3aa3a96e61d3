//! Divides a rectangle among weights, and takes padding from rectangles.

use crate::tessera::*;

crate::tessera::choices! {
    #[derive(Default)]
    pub enum Tiling {
        #[default]
        Squarified = "squarified", Binary = "binary", Slice = "slice", Dice = "dice",
        SliceDice = "sliceDice",
    }
}

/// Reuses its memory.
#[derive(Default)]
pub struct Tiler {
    pub tiling: Tiling,
    pub ratio: f64,
    pub padding: f64,
    /// The positive weights, if some are 0.
    filled: Vec<f64>,
    /// The sum of the weights from each one to the last.
    rest: Vec<f64>,
    /// For binary: the sum of the weights before each one, and its rounding error.
    before: Vec<(f64, f64)>,
    pending: Vec<(usize, usize, Rect)>,
}

impl Tiler {
    /// In order; a weight of 0 gets the size 0×0 at the origin. `depth` is 0 for sections. O(n),
    /// binary O(n log n).
    pub fn divide(&mut self, weights: &[f64], rect: Rect, depth: usize, frames: &mut [Rect]) {
        // Counting all is faster than stopping at the first 0.
        let mut next = weights.iter().filter(|weight| **weight > 0.0).count();
        if next == weights.len() {
            return self.tile(weights, rect, depth, frames);
        }
        let mut filled = std::mem::take(&mut self.filled);
        filled.clear();
        filled.extend(weights.iter().filter(|weight| **weight > 0.0));
        self.tile(&filled, rect, depth, &mut frames[..next]);
        for (place, weight) in weights.iter().enumerate().rev() {
            frames[place] = if *weight > 0.0 {
                next -= 1;
                frames[next]
            } else {
                Rect::new(rect.x, rect.y, 0.0, 0.0)
            };
        }
        self.filled = filled;
    }

    fn tile(&mut self, weights: &[f64], rect: Rect, depth: usize, frames: &mut [Rect]) {
        let half = self.padding / 2.0;
        let (width, height) = (rect.width + self.padding, rect.height + self.padding);
        let grown = Rect::new(rect.x - half, rect.y - half, width, height);
        match self.tiling {
            Tiling::Squarified => self.squarify(weights, grown, frames),
            Tiling::Binary => self.halve(weights, grown, frames),
            Tiling::Slice | Tiling::Dice | Tiling::SliceDice => {
                let is_even = self.tiling == Tiling::SliceDice && depth % 2 == 0;
                let is_row = self.tiling == Tiling::Dice || is_even;
                line(weights, weights.iter().sum(), grown, is_row, frames);
            }
        }
        if half > 0.0 {
            for frame in frames {
                *frame = inset(*frame, Insets::new(half, half, half, half), rect);
            }
        }
    }

    /// Bruls, Huizing and van Wijk (2000), for squares or another target ratio.
    fn squarify(&mut self, weights: &[f64], mut free: Rect, frames: &mut [Rect]) {
        let Tiler { rest: rests, ratio, .. } = self;
        // From the end: subtracting rows from the total would lose small weights.
        rests.resize(weights.len() + 1, 0.0);
        rests[weights.len()] = 0.0;
        for place in (0..weights.len()).rev() {
            rests[place] = rests[place + 1] + weights[place];
        }

        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let mut first = 0;
        while first < weights.len() {
            let rest = rests[first];
            let shape = larger(free.height / free.width, free.width / free.height);
            let alpha = shape / (rest * *ratio);
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
                // Without an area, these are infinite or NaN, and every item joins.
                let with_it = larger(greatest / beta, beta / least);
                if with_it > worst {
                    break;
                }
                (worst, sum) = (with_it, longer);
                end += 1;
            }

            let (part, left) = (sum / rest, rests[end] / rest);
            let is_row = free.width < free.height;
            let mut row = free;
            if is_row {
                row.height *= part;
                free.y += row.height;
                free.height *= left;
            } else {
                row.width *= part;
                free.x += row.width;
                free.width *= left;
            }
            line(&weights[first..end], sum, row, is_row, &mut frames[first..end]);
            first = end;
        }
    }

    /// Two parts with sums as equal as the order allows, each divided likewise.
    fn halve(&mut self, weights: &[f64], rect: Rect, frames: &mut [Rect]) {
        let Tiler { before, pending, .. } = self;
        before.clear();
        let (mut sum, mut lost) = (0.0, 0.0);
        before.push((0.0, 0.0));
        for &weight in weights {
            // The sum's exact rounding error (Knuth's two-sum).
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
            // The first place where the left part is at least half, or the place before it.
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
            // Tiny weights may be lost in the sum: they have no area, but a place.
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

/// Fills a rectangle with a row or column, each tile as long as its weight's share.
fn line(weights: &[f64], sum: f64, mut rect: Rect, is_row: bool, frames: &mut [Rect]) {
    // Finite for weights near 0, to place them.
    let unit = (if is_row { rect.width } else { rect.height } / sum).min(f64::MAX);
    for (frame, weight) in frames.iter_mut().zip(weights) {
        let length = weight * unit;
        if is_row {
            *frame = Rect { width: length, ..rect };
            rect.x += length;
        } else {
            *frame = Rect { height: length, ..rect };
            rect.y += length;
        }
    }
}

/// A side without room becomes its middle, within `bounds`.
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
