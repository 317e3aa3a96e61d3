//! A strip per section, its items side by side. Delegate functions set item widths and strip
//! margins. Written without the wrapper.

#![allow(clippy::missing_safety_doc)]

use std::ffi::{c_char, c_void};
use std::mem::{size_of, transmute};
use std::ptr::{null, null_mut};

// ---- The used part of the contract

type Status = i32;
const OK: Status = 0;
const NO_SPACE: Status = 3;
const CANCELLED: Status = 4;
const NOT_FOUND: Status = 5;

#[repr(C)]
#[derive(Clone, Copy)]
struct Point { x: f64, y: f64 }
#[repr(C)]
#[derive(Clone, Copy, PartialEq)]
struct Size { width: f64, height: f64 }
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Rect { x: f64, y: f64, width: f64, height: f64 }
#[repr(C)]
#[derive(Clone, Copy)]
struct Insets { top: f64, left: f64, bottom: f64, right: f64 }
#[repr(C)]
#[derive(Clone, Copy)]
union Value { boolean: u8, number: f64, size: Size, insets: Insets }

const fn number(number: f64) -> Value {
    let mut value = Value { insets: Insets { top: 0.0, left: 0.0, bottom: 0.0, right: 0.0 } };
    value.number = number;
    value
}

const NUMBER: i32 = 3;
const POINT: i32 = 5;
const BOOL: i32 = 1;

type Name = *const c_char;

macro_rules! c {
    ($text:expr) => {
        concat!($text, "\0").as_ptr() as Name
    };
}

#[repr(C)]
struct Parameter {
    name: Name, help: Name, unit: Name, choices: *const Name, choice_count: u32, kind: i32, flags: u32,
    reserved: u32, initial: Value, minimum: Value, maximum: Value,
}
#[repr(C)]
struct ValueDeclaration {
    name: Name, help: Name, fallback: Name, kind: i32, scope: u32, flags: u32, reserved: u32,
}
#[repr(C)]
struct Function { call: Option<unsafe extern "C" fn()>, context: *mut c_void }
#[repr(C)]
struct FunctionDeclaration { name: Name, signature: Name, help: Name, published: *const c_void }
#[repr(C)]
struct Attribute {
    name: Name, help: Name, unit: Name, choices: *const Name, choice_count: u32, kind: i32,
    interpolation: i32, when: u32, initial: Value,
}
#[repr(C)]
struct Kind { name: Name, shows: Name, category: i32, role: i32 }
#[repr(C)]
struct Column { data: *const c_void, stride: u64 }
#[repr(C)]
struct Input {
    struct_size: u32, right_to_left: u32, host: *const Host, viewport: Rect, content_insets: Insets,
    safe_area: Insets, layout_margins: Insets, scale: f64, section_count: u32, reserved: u32,
    section_starts: *const u64, parameters: *const Value, values: *const Column, lists: *const c_void,
    functions: *const Function, base: *mut c_void, changed: u32, first_section: u32, first_item: u64,
}
#[repr(C)]
struct Run { category: i32, kind: u32, section: u32, reserved: u32, first_item: u64, count: u64 }
#[repr(C)]
struct Rows {
    struct_size: u32, reserved: u32, count: u64, kept: u64, frame: *mut Rect, transform: *mut c_void,
    alpha: *mut f64, z_index: *mut i32, hidden: *mut u8, attributes: *const *mut c_void,
}
#[repr(C)]
struct Output {
    struct_size: u32, reserved: u32,
    add: unsafe extern "C" fn(*mut Output, *const Run, *mut *const Rows) -> Status,
    run_count: unsafe extern "C" fn(*mut Output) -> u64,
    get: unsafe extern "C" fn(*mut Output, u64, *mut Run, *mut *const Rows) -> Status,
    set_content_size: unsafe extern "C" fn(*mut Output, Size),
    content_size: unsafe extern "C" fn(*mut Output) -> Size,
    leave: unsafe extern "C" fn(*mut Output, *const Rows, u64) -> Status,
}
#[repr(C)]
struct Host {
    struct_size: u32, abi_major: u32, abi_minor: u32, reserved: u32,
    report: unsafe extern "C" fn(*const Host, Status, Name),
    progress: unsafe extern "C" fn(*const Host, f64) -> i32,
    extension: unsafe extern "C" fn(*const Host, Name) -> *const c_void,
}
#[repr(C)]
struct Query {
    struct_size: u32, reserved: u32,
    elements_in_rect: unsafe extern "C" fn(*const Host, Rect, *mut *mut Output) -> Status,
}
#[repr(C)]
struct Registry {
    struct_size: u32, reserved: u32,
    add_engine: unsafe extern "C" fn(*mut Registry, *const Engine) -> Status,
}
#[repr(C)]
struct Engine {
    struct_size: u32, traits: u32, laws: u32, columns: u32, adjusted_columns: u32, reserved: u32,
    id: Name, name: Name, version: Name, author: Name, license: Name, summary: Name, base: Name,
    base_version: Name, parameter_count: u32, parameter_size: u32, value_count: u32, value_size: u32,
    list_count: u32, list_size: u32, function_count: u32, function_size: u32, attribute_count: u32,
    attribute_size: u32, kind_count: u32, kind_size: u32, default_count: u32, default_size: u32,
    parameters: *const Parameter, values: *const ValueDeclaration, lists: *const c_void,
    functions: *const FunctionDeclaration, attributes: *const Attribute, kinds: *const Kind,
    defaults: *const c_void,
    create: unsafe extern "C" fn(*const Engine, *const Host, *mut *mut Strips) -> Status,
    destroy: unsafe extern "C" fn(*mut Strips),
    prepare: unsafe extern "C" fn(*mut Strips, *const Input, *mut Output) -> Status,
    adjust: *const c_void, elements_in_rect: *const c_void, element: *const c_void,
    still_valid: unsafe extern "C" fn(*mut Strips, *const Input) -> i32,
    extension: *const c_void,
}
unsafe impl Sync for Engine {}
unsafe impl Sync for Parameter {}
unsafe impl Sync for ValueDeclaration {}
unsafe impl Sync for FunctionDeclaration {}
unsafe impl Sync for Attribute {}
unsafe impl Sync for Kind {}

const _: () = assert!(size_of::<Parameter>() == 144 && size_of::<Attribute>() == 80);
const _: () = assert!(size_of::<Input>() == 224 && size_of::<Rows>() == 72 && size_of::<Output>() == 56);
const _: () = assert!(size_of::<Engine>() == 264 && size_of::<Host>() == 40 && size_of::<Query>() == 16);

#[repr(C)]
struct Note { sizes: [u32; 3], name: [u8; 8], versions: [u32; 3] }
#[used]
#[cfg_attr(target_os = "linux", link_section = ".note.tessera")]
#[cfg_attr(target_os = "macos", link_section = "__TEXT,__tessera")]
static NOTE: Note = Note { sizes: [8, 12, 1], name: *b"Tessera\0", versions: [MAJOR, 0, size_of::<Engine>() as u32] };
const MAJOR: u32 = 1;

// ---- Declarations

const GAP: usize = 2;
const MARGIN: usize = 3;
const OWN_HEIGHT: usize = 0;
const OWN_WIDTH: usize = 1;
const WIDTH_OF: usize = 0;
const MARGINS_OF: usize = 1;

const fn parameter(name: Name, help: Name, initial: f64, maximum: f64) -> Parameter {
    Parameter {
        name, help, unit: c!("pt"), choices: null(), choice_count: 0,
        kind: NUMBER, flags: 0, reserved: 0, initial: number(initial), minimum: number(0.0),
        maximum: number(maximum),
    }
}

static PARAMETERS: [Parameter; 4] = [
    parameter(c!("stripHeight"), c!("Height of a strip without one."), 70.0, 100000.0),
    parameter(c!("itemWidth"), c!("Width of an item without one."), 90.0, 100000.0),
    parameter(c!("gap"), c!("Space between items, and between strips."), 6.0, 1000.0),
    parameter(c!("margin"), c!("Space around a strip for which the program gives no margins."), 10.0, 1000.0),
];

const fn value(name: Name, help: Name, fallback: Name, scope: u32) -> ValueDeclaration {
    ValueDeclaration {
        name, help, fallback, kind: NUMBER, scope, flags: 0,
        reserved: 0,
    }
}

static VALUES: [ValueDeclaration; 2] = [
    value(c!("stripHeight"), c!("Height of the strip."), c!("stripHeight"), 0),
    value(c!("width"), c!("Width of the item, unless the program has a function."), c!("itemWidth"), 1),
];

const fn function(name: Name, signature: Name, help: Name, published: *const c_void) -> FunctionDeclaration {
    FunctionDeclaration { name, signature, help, published }
}

static FUNCTIONS: [FunctionDeclaration; 5] = [
    function(c!("widthOf"), c!("f64(u32,u64)"), c!("The width of an item; by default its value."), null()),
    function(c!("marginsOf"), c!("insets(u32)"), c!("The margins of a strip; by default the parameter."), null()),
    function(c!("stripRect"), c!("rect(u32)"), c!("Where a strip lies, with its margins."), strip_rect as *const c_void),
    function(c!("itemAt"), c!("i64(point)"), c!("The item at a point or right of it in the strip, counted over all sections; -1: none."), item_at as *const c_void),
    function(c!("cellsIn"), c!("u64(rect)"), c!("How many cells a rect touches."), cells_in as *const c_void),
];

static KINDS: [Kind; 1] = [Kind { name: c!("strip"), shows: null(), category: 2, role: 4 }];

const fn attribute(name: Name, help: Name, kind: i32) -> Attribute {
    Attribute {
        name, help, unit: null(), choices: null(), choice_count: 0, kind,
        interpolation: 1, when: 0, initial: number(0.0),
    }
}

static ATTRIBUTES: [Attribute; 2] = [
    attribute(c!("anchor"), c!("Where a callout points to."), POINT),
    attribute(c!("isWide"), c!("Whether the item is wider than high."), BOOL),
];

// ---- The layout

struct Strip { outer: Rect, start: u64, rights: Vec<f64> }

struct Strips { host: *const Host, query: *const Query, strips: Vec<Strip>, inner: f64 }

fn length(given: f64) -> f64 {
    given.max(0.0).min(1e12)
}

unsafe fn at<T: Copy>(column: &Column, index: u64) -> T {
    *((column.data as *const u8).add((index * column.stride) as usize) as *const T)
}

unsafe fn inner_width(input: &Input) -> f64 {
    (input.viewport.width - input.content_insets.left - input.content_insets.right).max(0.0)
}

unsafe fn no_memory(host: *const Host) -> Status {
    ((*host).report)(host, NO_SPACE, c!("there is not enough memory for the strips; free some"));
    NO_SPACE
}

unsafe extern "C" fn create(_: *const Engine, host: *const Host, layout: *mut *mut Strips) -> Status {
    let query = ((*host).extension)(host, c!("tessera.query/1")) as *const Query;
    *layout = Box::into_raw(Box::new(Strips { host, query, strips: Vec::new(), inner: -1.0 }));
    OK
}

unsafe extern "C" fn destroy(layout: *mut Strips) {
    if !layout.is_null() {
        drop(Box::from_raw(layout));
    }
}

unsafe fn width_of(input: &Input, section: u32, item: u64, position: u64) -> f64 {
    let function = &*input.functions.add(WIDTH_OF);
    match function.call {
        Some(call) => {
            let call: unsafe extern "C" fn(*mut c_void, u32, u64) -> f64 = transmute(call);
            length(call(function.context, section, item))
        }
        None => length(at(&*input.values.add(OWN_WIDTH), position)),
    }
}

unsafe fn margins_of(input: &Input, section: u32) -> Insets {
    let function = &*input.functions.add(MARGINS_OF);
    match function.call {
        Some(call) => {
            let call: unsafe extern "C" fn(*mut c_void, u32) -> Insets = transmute(call);
            let given = call(function.context, section);
            Insets {
                top: length(given.top), left: length(given.left), bottom: length(given.bottom),
                right: length(given.right),
            }
        }
        None => {
            let margin = (*input.parameters.add(MARGIN)).number;
            Insets { top: margin, left: margin, bottom: margin, right: margin }
        }
    }
}

unsafe extern "C" fn prepare(layout: *mut Strips, input: *const Input, output: *mut Output) -> Status {
    let (this, input) = (&mut *layout, &*input);
    let gap = (*input.parameters.add(GAP)).number;
    this.inner = inner_width(input);
    this.strips.clear();
    if this.strips.try_reserve(input.section_count as usize).is_err() {
        return no_memory(this.host);
    }
    let all = *input.section_starts.add(input.section_count as usize);
    let (mut y, mut widest) = (0.0, this.inner);
    for section in 0..input.section_count {
        let start = *input.section_starts.add(section as usize);
        let count = *input.section_starts.add(section as usize + 1) - start;
        let margins = margins_of(input, section);
        let height = length(at(&*input.values.add(OWN_HEIGHT), section as u64));
        let mut strip = Strip { outer: Rect::default(), start, rights: Vec::new() };
        if strip.rights.try_reserve(count as usize).is_err() {
            return no_memory(this.host);
        }
        if section > 0 {
            y += gap;
        }
        let mut rows: *const Rows = null();
        let run = Run { category: 0, kind: 0, section, reserved: 0, first_item: 0, count };
        let status = ((*output).add)(output, &run, &mut rows);
        if status != OK {
            return status;
        }
        let mut x = margins.left;
        for item in 0..count {
            if item > 0 {
                x += gap;
            }
            let width = width_of(input, section, item, start + item);
            let place = item as usize;
            *(*rows).frame.add(place) = Rect { x, y: y + margins.top, width, height };
            *(*(*rows).attributes.add(0) as *mut Point).add(place) = Point { x: width / 4.0, y: height };
            *(*(*rows).attributes.add(1) as *mut u8).add(place) = (width > height) as u8;
            x += width;
            strip.rights.push(x);
            if (start + item) % 4096 == 4095
                && ((*this.host).progress)(this.host, (start + item) as f64 / all as f64) == 0
            {
                return CANCELLED;
            }
        }
        strip.outer = Rect { x: 0.0, y, width: x + margins.right, height: margins.top + height + margins.bottom };
        let run = Run { category: 2, kind: 0, section, reserved: 0, first_item: 0, count: 1 };
        let status = ((*output).add)(output, &run, &mut rows);
        if status != OK {
            return status;
        }
        *(*rows).frame = strip.outer;
        *(*rows).z_index = -1;
        widest = f64::max(widest, strip.outer.width);
        y += strip.outer.height;
        this.strips.push(strip);
    }
    ((*output).set_content_size)(output, Size { width: widest, height: y });
    OK
}

/// The widest strip or the bounds set the width.
unsafe extern "C" fn still_valid(layout: *mut Strips, input: *const Input) -> i32 {
    ((*layout).inner == inner_width(&*input)) as i32
}

// ---- Published functions

unsafe extern "C" fn strip_rect(layout: *mut Strips, section: u32) -> Rect {
    let this = &*layout;
    match this.strips.get(section as usize) {
        Some(strip) => strip.outer,
        None => {
            ((*this.host).report)(this.host, NOT_FOUND, c!("there is no such strip; strips begin at 0"));
            Rect::default()
        }
    }
}

unsafe extern "C" fn item_at(layout: *mut Strips, point: Point) -> i64 {
    let this = &*layout;
    let below = this.strips.partition_point(|strip| strip.outer.y <= point.y);
    let Some(strip) = below.checked_sub(1).map(|at| &this.strips[at]) else { return -1 };
    if point.y >= strip.outer.y + strip.outer.height {
        return -1;
    }
    let item = strip.rights.partition_point(|right| *right <= point.x);
    if item == strip.rights.len() || point.x < 0.0 { -1 } else { (strip.start + item as u64) as i64 }
}

unsafe extern "C" fn cells_in(layout: *mut Strips, rect: Rect) -> u64 {
    let this = &*layout;
    let mut found: *mut Output = null_mut();
    if this.query.is_null() || ((*this.query).elements_in_rect)(this.host, rect, &mut found) != OK {
        return 0;
    }
    let mut cells = 0;
    for index in 0..((*found).run_count)(found) {
        let mut run = Run { category: 0, kind: 0, section: 0, reserved: 0, first_item: 0, count: 0 };
        let mut rows: *const Rows = null();
        if ((*found).get)(found, index, &mut run, &mut rows) == OK && run.category == 0 {
            cells += run.count;
        }
    }
    cells
}

static ENGINE: Engine = Engine {
    struct_size: size_of::<Engine>() as u32, traits: 4, laws: 1 | 2 | 4, columns: 4, adjusted_columns: 0,
    reserved: 0, id: c!("org.example.strips"), name: c!("Strips"), version: c!("1.0.0"),
    author: c!("F. Ilm"), license: c!("MIT"), summary: c!("Items in strips."),
    base: null(), base_version: null(),
    parameter_count: 4, parameter_size: size_of::<Parameter>() as u32,
    value_count: 2, value_size: size_of::<ValueDeclaration>() as u32, list_count: 0, list_size: 0,
    function_count: 5, function_size: size_of::<FunctionDeclaration>() as u32,
    attribute_count: 2, attribute_size: size_of::<Attribute>() as u32,
    kind_count: 1, kind_size: size_of::<Kind>() as u32, default_count: 0, default_size: 0,
    parameters: &PARAMETERS as *const Parameter, values: &VALUES as *const ValueDeclaration, lists: null(),
    functions: &FUNCTIONS as *const FunctionDeclaration, attributes: &ATTRIBUTES as *const Attribute,
    kinds: &KINDS as *const Kind, defaults: null(), create, destroy, prepare, adjust: null(),
    elements_in_rect: null(), element: null(), still_valid, extension: null(),
};

#[no_mangle]
pub unsafe extern "C" fn tessera_register(_: *const c_void, registry: *mut c_void) -> Status {
    let registry = registry as *mut Registry;
    ((*registry).add_engine)(registry, &ENGINE)
}
