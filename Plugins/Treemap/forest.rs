//! The items of all sections as trees, from their parents.

use std::borrow::Cow;
use std::ops::Range;

use crate::tessera::*;

/// The trees of the sections. It keeps its memory from one prepare to the next.
#[derive(Default)]
pub struct Forest {
    sections: Vec<Section>,
    /// The children of each parent, one parent after the other, in order; items count among all.
    children: Vec<u32>,
    /// The totals of these children.
    totals: Vec<f64>,
    /// Those that have children, parents before their descendants, section after section.
    groups: Vec<Group>,
    /// Where the children of each item of a section end, while it is sorted.
    ends: Vec<u32>,
}

struct Section {
    items: Range<usize>,
    /// Empty if all items are children of the section, and have a weight.
    groups: Range<usize>,
    total: f64,
}

/// A section or an item that has children.
pub struct Group {
    /// Counted within the section; none: the section itself.
    pub item: Option<u32>,
    /// 0 for a section.
    pub depth: u32,
    /// Its place among the children of its parent.
    place: u32,
    children: Range<u32>,
}

impl Group {
    fn children(&self) -> Range<usize> {
        self.children.start as usize..self.children.end as usize
    }
}

impl Forest {
    /// Reads the trees of an input; `all` is what its weights are like. O(n). Fails if a parent is
    /// out of range, or an item is its own ancestor.
    pub fn read(
        &mut self, input: &Input, weights: &[f64], all: Summary, parents: Column<i64>,
    ) -> Result<(), Failure> {
        self.sections.clear();
        self.groups.clear();
        for (section, items) in input.sections().enumerate() {
            let groups = self.groups.len()..self.groups.len();
            self.sections.push(Section { items: items.clone(), groups, total: 0.0 });
            let column = parents.slice(items.clone());
            let is_flat = column.constant() == Some(-1)
                || match column.as_slice() {
                    Some(parents) => parents.iter().all(|parent| *parent == -1),
                    None => column.iter().all(|parent| parent == -1),
                };
            if is_flat {
                let is_alone = items.len() == weights.len();
                let summary = if is_alone { all } else { Summary::of(&weights[items]) };
                if summary.least > 0.0 {
                    self.sections[section].total = summary.sum;
                    continue;
                }
            }
            if u32::try_from(weights.len()).is_err() {
                return Err(Failure::failed(format!(
                    "there are {} items; a nested layout has at most {}", weights.len(), u32::MAX
                )));
            }
            let parents: Cow<[i64]> = match column.as_slice() {
                Some(parents) => Cow::Borrowed(parents),
                None => Cow::Owned(column.iter().collect()),
            };
            self.totals.resize(weights.len(), 0.0);
            self.children.resize(weights.len(), 0);
            self.sort_by_parent(section, &parents)?;
            self.add_groups(section, &parents)?;
            self.add_up(section, weights);
        }
        Ok(())
    }

    /// Puts the children of each item side by side, those of the section last.
    fn sort_by_parent(&mut self, section: usize, parents: &[i64]) -> Result<(), Failure> {
        let items = self.sections[section].items.clone();
        let count = items.len();
        self.ends.clear();
        self.ends.resize(count + 2, 0);
        // Slices, so that a write to one does not make the addresses of both be read again.
        let (ends, children) = (&mut self.ends[..], &mut self.children[..]);
        // By the item after the parent, of which the one after the last is the section.
        for (item, &parent) in parents.iter().enumerate() {
            if parent < -1 || parent >= count as i64 {
                return Err(Failure::invalid_value(format!(
                    "parent of item {item} in section {section} is {parent}; it must be an item of \
                     the section, from 0 to {}, or -1 for none",
                    count - 1
                )));
            }
            let place = if parent < 0 { count } else { parent as usize };
            ends[place + 1] += 1;
        }
        let mut sum = items.start as u32;
        for end in ends.iter_mut() {
            sum += *end;
            *end = sum;
        }
        // Now they are the starts, which filling moves to the ends.
        for (item, &parent) in (items.start as u32..).zip(parents) {
            let end = &mut ends[if parent < 0 { count } else { parent as usize }];
            children[*end as usize] = item;
            *end += 1;
        }
        Ok(())
    }

    /// Adds the groups of a section, in the order of their depth.
    fn add_groups(&mut self, section: usize, parents: &[i64]) -> Result<(), Failure> {
        let items = self.sections[section].items.clone();
        let ends = &self.ends;
        let children = |item: usize| {
            let start = if item == 0 { items.start as u32 } else { ends[item - 1] };
            start..ends[item]
        };
        let first = self.groups.len();
        let mut reached = 0;
        let all = children(items.len());
        self.groups.push(Group { item: None, depth: 0, place: 0, children: all });
        let mut index = first;
        while let Some(group) = self.groups.get(index) {
            let (depth, range) = (group.depth + 1, group.children());
            reached += range.len();
            for place in range {
                let item = self.children[place] as usize - items.start;
                let children = children(item);
                if !children.is_empty() {
                    let (item, place) = (Some(item as u32), place as u32);
                    self.groups.push(Group { item, depth, place, children });
                }
            }
            index += 1;
        }
        self.sections[section].groups = first..index;
        if reached < items.len() {
            return Err(cycle(section, parents));
        }
        Ok(())
    }

    /// Sums up the weights of a section, descendants first.
    fn add_up(&mut self, section: usize, weights: &[f64]) {
        let Section { items, groups, total } = &mut self.sections[section];
        for (total, child) in
            self.totals[items.clone()].iter_mut().zip(&self.children[items.clone()])
        {
            *total = weights[*child as usize];
        }
        for group in self.groups[groups.clone()].iter().rev() {
            let sum: f64 = self.totals[group.children()].iter().sum();
            match group.item {
                Some(_) => self.totals[group.place as usize] += sum,
                None => *total = sum,
            }
        }
    }

    pub fn section_count(&self) -> usize {
        self.sections.len()
    }

    pub fn total_of_section(&self, section: usize) -> f64 {
        self.sections[section].total
    }

    /// The section, then those of its items that have children, parents before their descendants;
    /// empty if all items are children of the section, and all have a weight.
    pub fn groups(&self, section: usize) -> &[Group] {
        &self.groups[self.sections[section].groups.clone()]
    }

    /// The children of a group, counted among all items, and the weights of each with all its
    /// descendants.
    pub fn children(&self, group: &Group) -> (&[u32], &[f64]) {
        (&self.children[group.children()], &self.totals[group.children()])
    }
}

/// What weights are like, found in one pass. Those that are no numbers count only in the sum.
#[derive(Clone, Copy)]
pub struct Summary {
    /// Infinite if there are none.
    pub least: f64,
    /// 0 if none is above it.
    pub greatest: f64,
    pub sum: f64,
}

impl Summary {
    pub fn of(weights: &[f64]) -> Summary {
        // Four at once, because each step waits for the one before.
        let (mut least, mut greatest, mut sum) = ([f64::INFINITY; 4], [0.0; 4], [0.0; 4]);
        let mut add = |lane: usize, weight: f64| {
            least[lane] = if weight < least[lane] { weight } else { least[lane] };
            greatest[lane] = if weight > greatest[lane] { weight } else { greatest[lane] };
            sum[lane] += weight;
        };
        let fours = weights.chunks_exact(4);
        fours.remainder().iter().for_each(|&weight| add(0, weight));
        for four in fours {
            (0..4).for_each(|lane| add(lane, four[lane]));
        }
        Summary {
            least: least.into_iter().fold(f64::INFINITY, f64::min),
            greatest: greatest.into_iter().fold(0.0, f64::max),
            sum: sum.into_iter().sum(),
        }
    }
}

/// Names the first item that is its own ancestor; there is one.
fn cycle(section: usize, parents: &[i64]) -> Failure {
    // The number of the walk that came by, from 1.
    let mut seen = vec![0; parents.len()];
    let mut first = usize::MAX;
    for start in 0..parents.len() {
        let mut item = start as i64;
        while item >= 0 && seen[item as usize] == 0 {
            seen[item as usize] = start + 1;
            item = parents[item as usize];
        }
        if item < 0 || seen[item as usize] != start + 1 {
            continue;
        }
        // A new cycle; `item` is on it.
        let end = item as usize;
        let mut on = end;
        loop {
            first = first.min(on);
            on = parents[on] as usize;
            if on == end {
                break;
            }
        }
    }
    let parent = parents[first];
    Failure::invalid_value(format!(
        "parent of item {first} in section {section} is {parent}, which makes the item its own \
         ancestor; give an item that is not in item {first}, or -1 for none"
    ))
}
