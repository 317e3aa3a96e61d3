//! The items of a section as a tree, from their parents.

use std::borrow::Cow;
use std::ops::Range;

use crate::tessera::*;

/// Reuses its memory.
#[derive(Default)]
pub struct Tree {
    /// The section, numbered after the last item, then the items with children; parents before
    /// their descendants.
    pub groups: Vec<usize>,
    /// The weight of each item with all its descendants.
    pub totals: Vec<f64>,
    /// Grouped by parent, in order; the section's last.
    children: Vec<usize>,
    ends: Vec<usize>,
}

impl Tree {
    /// Reads a section's tree. O(n). Fails if a parent is out of range, or an item its own
    /// ancestor.
    pub fn read(
        &mut self, section: usize, parents: Column<i64>, weights: &[f64],
    ) -> Result<(), Failure> {
        let parents = match parents.as_slice() {
            Some(parents) => Cow::Borrowed(parents),
            None => Cow::Owned(parents.iter().collect()),
        };
        self.sort_by_parent(section, &parents)?;
        let count = parents.len();
        self.groups.clear();
        self.groups.push(count);
        let (mut next, mut reached) = (0, 0);
        while let Some(&group) = self.groups.get(next) {
            for place in self.range(group) {
                let child = self.children[place];
                if !self.range(child).is_empty() {
                    self.groups.push(child);
                }
            }
            reached += self.range(group).len();
            next += 1;
        }
        if reached < count {
            return Err(cycle(section, &parents));
        }
        self.totals.clear();
        self.totals.extend_from_slice(weights);
        for &group in self.groups[1..].iter().rev() {
            let sum: f64 = self.children(group).iter().map(|&child| self.totals[child]).sum();
            self.totals[group] += sum;
        }
        Ok(())
    }

    pub fn children(&self, group: usize) -> &[usize] {
        &self.children[self.range(group)]
    }

    fn range(&self, item: usize) -> Range<usize> {
        let start = if item == 0 { 0 } else { self.ends[item - 1] };
        start..self.ends[item]
    }

    /// Groups items by parent, the section's last.
    fn sort_by_parent(&mut self, section: usize, parents: &[i64]) -> Result<(), Failure> {
        let count = parents.len();
        self.ends.clear();
        self.ends.resize(count + 2, 0);
        self.children.resize(count, 0);
        // Slices: a write to one does not reload the addresses of both.
        let (ends, children) = (&mut self.ends[..], &mut self.children[..]);
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
        for place in 1..ends.len() {
            ends[place] += ends[place - 1];
        }
        // Now the starts, which filling moves to the ends.
        for (item, &parent) in parents.iter().enumerate() {
            let end = &mut ends[if parent < 0 { count } else { parent as usize }];
            children[*end] = item;
            *end += 1;
        }
        Ok(())
    }
}

/// Names the first item that is its own ancestor.
fn cycle(section: usize, parents: &[i64]) -> Failure {
    let mut children = vec![0; parents.len()];
    let parent_of = |item: usize| usize::try_from(parents[item]).ok();
    (0..parents.len()).filter_map(parent_of).for_each(|parent| children[parent] += 1);
    // Removing leaves repeatedly keeps only cycles.
    let mut leaves: Vec<usize> = (0..parents.len()).filter(|&item| children[item] == 0).collect();
    while let Some(leaf) = leaves.pop() {
        if let Some(parent) = parent_of(leaf) {
            children[parent] -= 1;
            if children[parent] == 0 {
                leaves.push(parent);
            }
        }
    }
    let first = children.iter().position(|&count| count > 0).unwrap_or(0);
    Failure::invalid_value(format!(
        "parent of item {first} in section {section} is {}, which makes the item its own \
         ancestor; give an item that is not in item {first}, or -1 for none",
        parents[first]
    ))
}
