//! A week of appointments: every section is a day, side by side; appointments at the same time share
//! the width of their day.

#![deny(unsafe_code)]

mod tessera;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tessera::*;

const HOURS: usize = 24;

struct Agenda {
    hour_height: Parameter<f64>,
    day_width: Parameter<f64>,
    gutter: Parameter<f64>,
    header_height: Parameter<f64>,
    usual: Parameter<f64>,
    starts: ItemValues<f64>,
    durations: ItemValues<f64>,
    is_cancelled: Delegate<fn(u32, u32) -> bool>,
    lane: Attribute<i64>,
    lanes: Attribute<i64>,
    day: Kind,
    hour: Kind,
    most: Vec<i64>,
    height: f64,
    header: f64,
    prepared_for: Option<(f64, bool)>,
}

impl Layout for Agenda {
    const IDENTITY: Identity = Identity {
        id: "rs.example.agenda",
        name: "Agenda",
        version: "0.4.0",
        author: "C. Lendar",
        license: "MIT",
        summary: "Days side by side, appointments by their hours.",
    };
    const COLUMNS: Columns = Columns::HIDDEN.and(Columns::Z_INDEX);

    fn new(declare: &mut Declare<Self>) -> Self {
        let hour_height = parameter("hourHeight", 40.0, "Height of an hour.");
        let day_width = parameter("dayWidth", 120.0, "Least width of a day.");
        let gutter = parameter("gutter", 48.0, "Room for the hours, beside the days.");
        let header_height = parameter("headerHeight", 30.0, "Height of the names of days.");
        let usual = parameter("duration", 1.0, "Hours that an appointment takes by default.");
        let usual = declare.add(usual.within(0.25, 24.0));
        declare.publish("hourAt", Agenda::hour_at, "The hour at a height, from 0 to 24.");
        declare.publish("laneCount", Agenda::lane_count, "The most appointments of a day at a time; -1: no such day.");
        Agenda {
            hour_height: declare.add(hour_height.unit("pt").within(1.0, 2000.0)),
            day_width: declare.add(day_width.unit("pt").within(1.0, 5000.0)),
            gutter: declare.add(gutter.unit("pt").within(0.0, 1000.0)),
            header_height: declare.add(header_height.unit("pt").within(0.0, 1000.0)),
            usual,
            starts: declare.add(item_values("start", "The hour at which the appointment begins.")),
            durations: declare.add(
                item_values("duration", "Hours that the appointment takes.").fallback(usual),
            ),
            is_cancelled: declare.add(delegate("isCancelled", "Whether an appointment is not shown.")),
            lane: declare.add(
                attribute("lane", 0, "Which of the appointments side by side it is.")
                    .interpolation(Interpolation::Step),
            ),
            lanes: declare.add(
                attribute("lanes", 1, "How many appointments are side by side.")
                    .interpolation(Interpolation::Step),
            ),
            day: declare.add(supplementary("day")),
            hour: declare.add(decoration("hour")),
            most: Vec::new(),
            height: 1.0,
            header: 0.0,
            prepared_for: None,
        }
    }
}

/// When an appointment begins and ends, in seconds of the day.
#[derive(Clone, Copy)]
struct Time {
    from: i64,
    to: i64,
}

impl Time {
    /// At least a quarter of an hour, within the day.
    fn new(start: f64, duration: f64) -> Time {
        let from = start.clamp(0.0, 23.75);
        let to = (from + duration.max(0.25)).min(24.0);
        Time { from: (from * 3600.0).round() as i64, to: (to * 3600.0).round() as i64 }
    }
}

#[derive(Clone, Copy, Default)]
struct Slot {
    lane: i64,
    lanes: i64,
}

/// The lane of each appointment, and how many lanes those have that overlap, one way or another.
fn slots(times: &[Time]) -> Vec<Slot> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|item| (times[*item].from, *item));
    let mut slots = vec![Slot::default(); times.len()];
    let mut running: BinaryHeap<Reverse<(i64, i64)>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<i64>> = BinaryHeap::new();
    let (mut cluster, mut used): (Vec<usize>, i64) = (Vec::new(), 0);
    let close = |cluster: &mut Vec<usize>, used: i64, slots: &mut Vec<Slot>| {
        for item in cluster.drain(..) {
            slots[item].lanes = used;
        }
    };
    for item in order {
        while let Some(Reverse((end, lane))) = running.peek().copied() {
            if end > times[item].from {
                break;
            }
            running.pop();
            free.push(Reverse(lane));
        }
        if running.is_empty() {
            close(&mut cluster, used, &mut slots);
            free.clear();
            used = 0;
        }
        let lane = match free.pop() {
            Some(Reverse(lane)) => lane,
            None => {
                used += 1;
                used - 1
            }
        };
        slots[item].lane = lane;
        running.push(Reverse((times[item].to, lane)));
        cluster.push(item);
    }
    close(&mut cluster, used, &mut slots); // the last one
    slots
}

impl Agenda {
    fn hour_at(&mut self, _host: Host, y: f64) -> Result<f64, Failure> {
        Ok(((y - self.header) / self.height).clamp(0.0, HOURS as f64))
    }

    fn lane_count(&mut self, _host: Host, section: u32) -> Result<i64, Failure> {
        Ok(self.most.get(section as usize).copied().unwrap_or(-1))
    }
}

impl Preparing for Agenda {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let hour_height = input.get(self.hour_height);
        let (gutter, header) = (input.get(self.gutter), input.get(self.header_height));
        let days = input.section_count();
        let extent = input.extent().width;
        let share = (extent - gutter) / days.max(1) as f64;
        let day_width = input.get(self.day_width).max(share);
        let width = extent.max(gutter + day_width * days as f64);
        let rtl = input.right_to_left();
        let place = |x: f64, y: f64, w: f64, h: f64| {
            Rect::new(if rtl { width - x - w } else { x }, y, w, h)
        };
        let (starts, durations) = (input.get(self.starts), input.get(self.durations));
        let is_cancelled = input.get(self.is_cancelled);

        if days > 0 {
            let lines = output.add(Run::elements(self.hour, 0, 0..HOURS))?;
            for (hour, frame) in lines.frames.iter_mut().enumerate() {
                *frame = place(0.0, header + hour as f64 * hour_height, width, hour_height);
            }
            lines.z_indexes.fill(-1);
        }
        self.most.clear();
        for (section, items) in input.sections().enumerate() {
            let left = gutter + section as f64 * day_width;
            if header > 0.0 {
                output.add_at(Run::element(self.day, section), place(left, 0.0, day_width, header))?;
            }
            let (starts, durations) = (starts.slice(items.clone()), durations.slice(items.clone()));
            let times: Vec<Time> =
                starts.iter().zip(durations.iter()).map(|(s, d)| Time::new(s, d)).collect();
            let slots = slots(&times);
            self.most.push(slots.iter().map(|slot| slot.lanes).max().unwrap_or(0));
            let mut rows = output.add(Run::cells(section, 0..items.len()))?;
            for (item, (time, slot)) in times.iter().zip(&slots).enumerate() {
                let lane_width = day_width / slot.lanes as f64;
                let from = header + time.from as f64 / 3600.0 * hour_height;
                let to = header + time.to as f64 / 3600.0 * hour_height;
                let x = left + slot.lane as f64 * lane_width;
                rows.frames[item] = place(x, from, lane_width, to - from);
                if let Some(function) = &is_cancelled {
                    rows.hidden[item] = function.call(section as u32, item as u32).into();
                }
            }
            for (lane, slot) in rows.attributes.column(self.lane).iter_mut().zip(&slots) {
                *lane = slot.lane;
            }
            for (lanes, slot) in rows.attributes.column(self.lanes).iter_mut().zip(&slots) {
                *lanes = slot.lanes;
            }
            output.progress((section + 1) as f64 / days as f64)?;
        }
        let _ = self.usual;
        (self.height, self.header) = (hour_height, header);
        self.prepared_for = Some((extent, rtl));
        output.set_content_size(Size::new(width, header + HOURS as f64 * hour_height))
    }
}

impl Reusable for Agenda {
    fn still_valid(&mut self, input: &Input) -> bool {
        self.prepared_for == Some((input.extent().width, input.right_to_left()))
    }
}

tessera::export!(Agenda);
