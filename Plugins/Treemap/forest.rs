//! The items of all sections as trees, from their parents.

use std::ops::Range;

use crate::tessera::*;

/// The trees of the sections. Items are counted among all.
pub struct Forest<'a> {
    weights: &'a [f64],
    sections: Vec<Section>,
    /// The children of each parent, one parent after the other, in order.
    children: Vec<u32>,
    /// Those that have children, parents before their descendants, section after section.
    groups: Vec<Group>,
    /// The total of each item; empty if no item has a parent.
    totals: Vec<f64>,
}

struct Section {
    items: Range<usize>,
    /// Empty if all items are children of the section, and have a weight.
    groups: Range<usize>,
    total: f64,
}

/// A section or an item that has children.
pub struct Group {
    /// None: the section; counted within it.
    pub item: Option<u32>,
    /// 0 for a section.
    pub depth: u32,
    children: Range<usize>,
}

impl<'a> Forest<'a> {
    /// O(n). Fails if a parent is out of range, or an item is its own ancestor.
    pub fn new(
        input: &Input, weights: &'a [f64], parents: Column<i64>,
    ) -> Result<Forest<'a>, Failure> {
        let mut forest = Forest {
            weights,
            sections: Vec::with_capacity(input.section_count()),
            children: Vec::new(),
            groups: Vec::new(),
            totals: Vec::new(),
        };
        // Where its children begin, for each item.
        let mut starts = Vec::new();
        for (section, items) in input.sections().enumerate() {
            let total = weights[items.clone()].iter().sum();
            let groups = forest.groups.len()..forest.groups.len();
            forest.sections.push(Section { items: items.clone(), groups, total });
            let parents = parents.slice(items.clone());
            let is_flat = parents.iter().all(|parent| parent == -1);
            if is_flat && weights[items.clone()].iter().all(|weight| *weight > 0.0) {
                continue;
            }
            if u32::try_from(items.end).is_err() {
                return Err(Failure::failed(format!(
                    "item {} is beyond what a nested layout counts; give fewer items", items.end
                )));
            }
            forest.totals.resize(weights.len(), 0.0);
            forest.children.resize(weights.len(), 0);
            forest.sort_by_parent(section, parents, &mut starts)?;
            forest.add_groups(section, parents, &starts)?;
            forest.add_up(section);
        }
        Ok(forest)
    }

    /// Puts the children of each item side by side. After it, those of an item begin at its start,
    /// and end where those of the next item begin; those of the section come last.
    fn sort_by_parent(
        &mut self, section: usize, parents: Column<i64>, starts: &mut Vec<u32>,
    ) -> Result<(), Failure> {
        let items = self.sections[section].items.clone();
        let count = items.len();
        starts.clear();
        starts.resize(count + 2, 0);
        // By the item after the parent, of which the one after the last is the section.
        for (item, parent) in parents.iter().enumerate() {
            if parent < -1 || parent >= count as i64 {
                return Err(Failure::invalid_value(format!(
                    "parent of item {item} in section {section} is {parent}; it must be an item of \
                     the section, from 0 to {}, or -1 for none",
                    count - 1
                )));
            }
            let place = if parent < 0 { count } else { parent as usize };
            starts[place + 1] += 1;
        }
        let mut sum = items.start as u32;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        // Filling moves each start to the end, which is the start of the next.
        for (item, parent) in parents.iter().enumerate() {
            let place = if parent < 0 { count } else { parent as usize };
            self.children[starts[place] as usize] = (items.start + item) as u32;
            starts[place] += 1;
        }
        Ok(())
    }

    /// Adds the groups of a section, in the order of their depth. Here, `starts` has the ends.
    fn add_groups(
        &mut self, section: usize, parents: Column<i64>, starts: &[u32],
    ) -> Result<(), Failure> {
        let items = self.sections[section].items.clone();
        let children = |place: usize| {
            let start = if place == 0 { items.start } else { starts[place - 1] as usize };
            start..starts[place] as usize
        };
        let first = self.groups.len();
        let mut reached = 0;
        self.groups.push(Group { item: None, depth: 0, children: children(items.len()) });
        let mut index = first;
        while let Some(Group { depth, children: range, .. }) = self.groups.get(index) {
            let (depth, range) = (depth + 1, range.clone());
            reached += range.len();
            for &child in &self.children[range] {
                let item = child as usize - items.start;
                let children = children(item);
                if !children.is_empty() {
                    self.groups.push(Group { item: Some(item as u32), depth, children });
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
    fn add_up(&mut self, section: usize) {
        let Section { items, groups, total } = &mut self.sections[section];
        self.totals[items.clone()].copy_from_slice(&self.weights[items.clone()]);
        for group in self.groups[groups.clone()].iter().rev() {
            let children = &self.children[group.children.clone()];
            let sum: f64 = children.iter().map(|&child| self.totals[child as usize]).sum();
            match group.item {
                Some(item) => self.totals[items.start + item as usize] += sum,
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

    /// The weights of a section whose items are all children of it, and all have a weight.
    pub fn flat_section(&self, section: usize) -> Option<&'a [f64]> {
        let Section { items, groups, .. } = &self.sections[section];
        groups.is_empty().then(|| &self.weights[items.clone()])
    }

    /// The section, then those of its items that have children, parents before their descendants.
    pub fn groups(&self, section: usize) -> &[Group] {
        &self.groups[self.sections[section].groups.clone()]
    }

    pub fn children(&self, group: &Group) -> &[u32] {
        &self.children[group.children.clone()]
    }

    /// The weight of an item and all its descendants.
    pub fn total(&self, item: u32) -> f64 {
        self.totals[item as usize]
    }
}

/// Names the first item that is its own ancestor; there is one.
fn cycle(section: usize, parents: Column<i64>) -> Failure {
    // The number of the walk that came by, from 1.
    let mut seen = vec![0; parents.len()];
    let mut first = usize::MAX;
    for start in 0..parents.len() {
        let mut item = start as i64;
        while item >= 0 && seen[item as usize] == 0 {
            seen[item as usize] = start + 1;
            item = parents.at(item as usize);
        }
        if item < 0 || seen[item as usize] != start + 1 {
            continue;
        }
        // A new cycle; `item` is on it.
        let end = item as usize;
        let mut on = end;
        loop {
            first = first.min(on);
            on = parents.at(on) as usize;
            if on == end {
                break;
            }
        }
    }
    let parent = parents.at(first);
    Failure::invalid_value(format!(
        "parent of item {first} in section {section} is {parent}, which makes the item its own \
         ancestor; give an item that is not in item {first}, or -1 for none"
    ))
}
