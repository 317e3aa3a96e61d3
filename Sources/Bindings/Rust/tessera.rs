//! Tessera for Rust: an engine is a type that implements traits. No crates, no build script.
//!
//! ```text
//! mod tessera;                          // at the root of the crate, under this name
//! use tessera::*;
//!
//! struct Diagonal { step: Parameter<f64> }
//! impl Layout for Diagonal { const IDENTITY: Identity = …; fn new(declare: &mut Declare) -> Self … }
//! impl Preparing for Diagonal { fn prepare(&mut self, input: &Input, output: &mut Output) … }
//! tessera::export!(Diagonal);
//! ```
//!
//! An engine keeps its declarations as handles: read a value from the input or the rows of a call,
//! `input.get(self.step)`, at the same cost as in C. The implemented traits determine what it can
//! do. Functions named as in `tessera/tessera.h` do the same; its units, states and threads apply.
//!
//! A [`Failure`] ends a call: it carries a status and a sentence for the user; `?` converts any
//! standard error. A panic ends a call, too, and never leaves the library.

#![allow(dead_code, unused_macros, unused_imports, unsafe_code)]

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{c_char, c_void, CStr, CString};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};

#[cfg(not(target_pointer_width = "64"))]
compile_error!("the contract is bound for machines of 64 bits");

// ---------------------------------------------------------------- geometry

macro_rules! numbers {
    ($(#[$note:meta])* $name:ident { $($field:ident),+ }) => {
        $(#[$note])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name { $(pub $field: f64),+ }
        impl $name {
            pub const fn new($($field: f64),+) -> Self { $name { $($field),+ } }
        }
    };
}
numbers!(Point { x, y });
numbers!(Size { width, height });
numbers!(
    /// Half-open: contains x ≤ px < x + width, likewise y.
    Rect { x, y, width, height }
);
numbers!(Insets { top, left, bottom, right });

/// Row-major for row vectors: the order of CSS matrix3d().
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub m: [f64; 16],
}

impl Transform {
    pub const IDENTITY: Transform = Transform::scaling(1.0, 1.0, 1.0);

    pub const fn scaling(x: f64, y: f64, z: f64) -> Transform {
        Transform {
            m: [x, 0.0, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, 0.0, z, 0.0, 0.0, 0.0, 0.0, 1.0],
        }
    }

    pub const fn translation(x: f64, y: f64, z: f64) -> Transform {
        Transform {
            m: [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0],
        }
    }

    /// Clockwise, in radians.
    pub fn rotation(angle: f64) -> Transform {
        let (s, c) = angle.sin_cos();
        Transform {
            m: [c, s, 0.0, 0.0, -s, c, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "{}×{}", self.width, self.height)
    }
}

// ---------------------------------------------------------------- the contract

/// With their names in C.
#[allow(non_camel_case_types)]
pub mod contract {
    pub use super::{Insets as tessera_insets, Point as tessera_point, Rect as tessera_rect};
    pub use super::{Size as tessera_size, Transform as tessera_transform};
    use std::ffi::{c_char, c_void};

    pub const ABI_MAJOR: u32 = 1;
    pub const ABI_MINOR: u32 = 0;
    /// Lower it if the engines use no later feature.
    pub const NEEDED_MINOR: u32 = ABI_MINOR;

    pub type tessera_status = i32;
    macro_rules! constants {
        ($($type:ident: $($name:ident = $value:literal),+;)+) => {
            $($(pub const $name: $type = $value;)+)+
        };
    }
    constants! {
        tessera_status:
            OK = 0, ERROR_INVALID_VALUE = 1, ERROR_UNSUPPORTED = 2, ERROR_NO_SPACE = 3,
            ERROR_CANCELLED = 4, ERROR_NOT_FOUND = 5, ERROR_WRONG_STATE = 6, ERROR_FAILED = 7;
        i32:
            TYPE_BOOL = 1, TYPE_INT = 2, TYPE_NUMBER = 3, TYPE_ENUM = 4, TYPE_POINT = 5,
            TYPE_SIZE = 6, TYPE_RECT = 7, TYPE_INSETS = 8;
        u32:
            FLAG_HINT = 1, FLAG_IN_ADJUST = 2, SCOPE_SECTION = 0, SCOPE_ITEM = 1, TRAIT_LAZY = 1,
            TRAIT_VIEWPORT = 2, CHANGED_ALL = 1, CHANGED_BOUNDS = 2, CHANGED_PARAMETERS = 4,
            CHANGED_COUNTS = 8, CHANGED_VALUES = 16, CHANGED_LISTS = 32;
    }

    pub type opaque = *mut c_void;
    pub type text = *const c_char;
    pub type any_function = unsafe extern "C" fn();

    /// (struct, its size, [(field, offset, size)]).
    pub type Layout = (&'static str, usize, &'static [(&'static str, usize, usize)]);

    macro_rules! call {
        ($($type:ty),+) => { unsafe extern "C" fn($($type),+) -> tessera_status };
    }
    pub(super) use call;

    // Fields whose names are keywords end with a _ here.
    macro_rules! contract {
        ($($kind:ident $name:ident[$size:literal] { $($field:ident: $type:ty),+ $(,)? })+) => {
            $(contract!(@ $kind $name { $($field: $type),+ });)+
            $(const _: () = assert!(std::mem::size_of::<$name>() == $size);)+
            /// For a test to compare with the header.
            pub const LAYOUTS: &[Layout] = &[$((
                stringify!($name),
                std::mem::size_of::<$name>(),
                &[$((
                    stringify!($field),
                    std::mem::offset_of!($name, $field),
                    std::mem::size_of::<$type>(),
                )),+],
            )),+];
        };
        (@ defined $name:ident { $($field:ident: $type:ty),+ }) => {};
        (@ structure $name:ident { $($field:ident: $type:ty),+ }) => {
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name { $(pub $field: $type),+ }
        };
        (@ variants $name:ident { $($field:ident: $type:ty),+ }) => {
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub union $name { $(pub $field: $type),+ }
        };
    }

    contract! {
        defined tessera_point[16] { x: f64, y: f64 }
        defined tessera_size[16] { width: f64, height: f64 }
        defined tessera_rect[32] { x: f64, y: f64, width: f64, height: f64 }
        defined tessera_insets[32] { top: f64, left: f64, bottom: f64, right: f64 }
        defined tessera_transform[128] { m: [f64; 16] }
        variants tessera_value[32] {
            boolean: u8, integer: i64, number: f64, choice: i32, point: tessera_point,
            size: tessera_size, rect: tessera_rect, insets: tessera_insets,
        }
        structure tessera_parameter[144] {
            name: text, help: text, unit: text, choices: *const text, choice_count: u32, type_: i32,
            flags: u32, reserved: u32, initial: tessera_value, minimum: tessera_value,
            maximum: tessera_value,
        }
        structure tessera_value_declaration[40] {
            name: text, help: text, fallback: text, type_: i32, scope: u32, flags: u32,
            reserved: u32,
        }
        structure tessera_list_declaration[32] {
            name: text, help: text, column_count: u32, column_size: u32,
            columns: *const tessera_parameter,
        }
        structure tessera_function[16] { call: Option<any_function>, context: opaque }
        structure tessera_function_declaration[32] {
            name: text, signature: text, help: text, published: Option<any_function>,
        }
        structure tessera_attribute[80] {
            name: text, help: text, unit: text, choices: *const text, choice_count: u32, type_: i32,
            interpolation: i32, when: u32, initial: tessera_value,
        }
        structure tessera_kind[24] { name: text, shows: text, category: i32, role: i32 }
        structure tessera_setting[56] {
            name: text, choice: text, type_: i32, owned: u32, value: tessera_value,
        }
        structure tessera_column[16] { data: *const c_void, stride: u64 }
        structure tessera_list[16] { count: u64, columns: *const tessera_column }
        structure tessera_change[24] {
            what: u32, first_section: u32, first_item: u64, last_count: u64,
        }
        structure tessera_input[232] {
            struct_size: u32, right_to_left: u32, host: *const tessera_host, viewport: tessera_rect,
            content_insets: tessera_insets, safe_area: tessera_insets,
            layout_margins: tessera_insets, scale: f64, section_count: u32, reserved: u32,
            section_starts: *const u64, parameters: *const tessera_value,
            values: *const tessera_column, lists: *const tessera_list,
            functions: *const tessera_function, super_: *mut tessera_super, change: tessera_change,
        }
        structure tessera_run[32] {
            category: i32, kind: u32, section: u32, reserved: u32, first_item: u64, count: u64,
        }
        structure tessera_rows[72] {
            struct_size: u32, reserved: u32, count: u64, kept: u64, frame: *mut tessera_rect,
            transform: *mut tessera_transform, alpha: *mut f64, z_index: *mut i32, hidden: *mut u8,
            attributes: *const *mut c_void,
        }
        structure tessera_output[56] {
            struct_size: u32, reserved: u32,
            add: call!(*mut tessera_output, *const tessera_run, *mut *const tessera_rows),
            run_count: unsafe extern "C" fn(*mut tessera_output) -> u64,
            get: call!(*mut tessera_output, u64, *mut tessera_run, *mut *const tessera_rows),
            set_content_size: unsafe extern "C" fn(*mut tessera_output, tessera_size),
            content_size: unsafe extern "C" fn(*mut tessera_output) -> tessera_size,
            leave: call!(*mut tessera_output, *const tessera_rows, u64),
        }
        structure tessera_super[128] {
            struct_size: u32, reserved: u32,
            get: call!(*mut tessera_super, text, i32, *mut tessera_value),
            get_values: call!(*mut tessera_super, text, u32, i32, *mut tessera_column),
            set: call!(*mut tessera_super, text, i32, *const tessera_value),
            set_choice: call!(*mut tessera_super, text, text),
            set_values: call!(*mut tessera_super, text, u32, i32, *mut *mut c_void),
            set_function: call!(*mut tessera_super, text, text, tessera_function),
            prepare: call!(*mut tessera_super, *mut tessera_output),
            adjust: call!(*mut tessera_super, tessera_rect, *mut tessera_output),
            elements_in_rect: call!(*mut tessera_super, tessera_rect, *mut tessera_output),
            element: call!(*mut tessera_super, *const tessera_run, *mut tessera_output),
            still_valid: unsafe extern "C" fn(*mut tessera_super) -> i32,
            get_list: call!(*mut tessera_super, text, *mut u64),
            get_column: call!(*mut tessera_super, text, text, i32, *mut tessera_column),
            set_list: call!(*mut tessera_super, text, u64),
            set_column: call!(*mut tessera_super, text, text, i32, *mut *mut c_void),
        }
        structure tessera_engine[264] {
            struct_size: u32, traits: u32, laws: u32, columns: u32, adjusted_columns: u32,
            reserved: u32, id: text, name: text, version: text, author: text, license: text,
            summary: text, base: text, base_version: text, parameter_count: u32,
            parameter_size: u32, value_count: u32, value_size: u32, list_count: u32, list_size: u32,
            function_count: u32, function_size: u32, attribute_count: u32, attribute_size: u32,
            kind_count: u32, kind_size: u32, default_count: u32, default_size: u32,
            parameters: *const tessera_parameter, values: *const tessera_value_declaration,
            lists: *const tessera_list_declaration, functions: *const tessera_function_declaration,
            attributes: *const tessera_attribute, kinds: *const tessera_kind,
            defaults: *const tessera_setting,
            create: Option<call!(*const tessera_engine, *const tessera_host, *mut opaque)>,
            destroy: Option<unsafe extern "C" fn(opaque)>,
            prepare: Option<call!(opaque, *const tessera_input, *mut tessera_output)>,
            adjust: Option<call!(opaque, *const tessera_input, tessera_rect, *mut tessera_output)>,
            elements_in_rect: Option<call!(
                opaque, *const tessera_input, tessera_rect, *mut tessera_output
            )>,
            element: Option<call!(
                opaque, *const tessera_input, *const tessera_run, *mut tessera_output
            )>,
            still_valid: Option<unsafe extern "C" fn(opaque, *const tessera_input) -> i32>,
            extension: Option<unsafe extern "C" fn(*const tessera_engine, text) -> *const c_void>,
        }
        structure tessera_host[40] {
            struct_size: u32, abi_major: u32, abi_minor: u32, reserved: u32,
            report: unsafe extern "C" fn(*const tessera_host, tessera_status, text),
            progress: unsafe extern "C" fn(*const tessera_host, f64) -> i32,
            extension: unsafe extern "C" fn(*const tessera_host, text) -> *const c_void,
        }
        structure tessera_registry[16] {
            struct_size: u32, reserved: u32,
            add_engine: call!(*mut tessera_registry, *const tessera_engine),
        }
        structure tessera_adjusting[16] {
            struct_size: u32, reserved: u32, not_needed: call!(*const tessera_host),
        }
        structure tessera_query[16] {
            struct_size: u32, reserved: u32,
            elements_in_rect: call!(*const tessera_host, tessera_rect, *mut *mut tessera_output),
        }
        structure tessera_reordering[16] {
            struct_size: u32, reserved: u32,
            target: call!(
                opaque, *const tessera_input, u32, u64, tessera_point, *mut u32, *mut u64
            ),
        }
        structure tessera_measured[16] { value: text, kind: text }
        structure tessera_sizing[32] {
            struct_size: u32, measured_count: u32, measured: *const tessera_measured,
            estimates: call!(
                opaque, *const tessera_input, *const tessera_run, *mut tessera_size, *mut u64
            ),
            proposals: call!(
                opaque, *const tessera_input, *const tessera_run, *mut tessera_size, *mut u64
            ),
        }
        structure tessera_snapping[16] {
            struct_size: u32, reserved: u32,
            resting_offset: call!(opaque, *const tessera_input, tessera_point, *mut tessera_point),
        }
        structure tessera_update[32] {
            operation: i32, from_section: u32, from_item: u64, to_section: u32, reserved: u32,
            to_item: u64,
        }
        structure tessera_updates[40] {
            struct_size: u32, reserved: u32,
            begin: Option<call!(opaque, *const tessera_input, *const tessera_update, u64)>,
            initial_attributes: Option<call!(opaque, *const tessera_input, *mut tessera_output)>,
            final_attributes: Option<call!(opaque, *const tessera_input, *mut tessera_output)>,
            end: Option<unsafe extern "C" fn(opaque)>,
        }
    }
}

use contract::*;

const ADJUSTING: &CStr = c"tessera.adjusting/1";
const QUERY: &CStr = c"tessera.query/1";
const REORDERING: &CStr = c"tessera.reordering/1";
const SIZING: &CStr = c"tessera.sizing/1";
const SNAPPING: &CStr = c"tessera.snapping/1";
const UPDATES: &CStr = c"tessera.updates/1";

// ---------------------------------------------------------------- failures

/// A status, and a sentence: what was found, what was expected and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    status: tessera_status,
    // Empty if the failure was already reported.
    message: String,
}

impl Failure {
    pub fn invalid_value(message: impl Into<String>) -> Failure {
        Failure::with(ERROR_INVALID_VALUE, message)
    }

    pub fn unsupported(message: impl Into<String>) -> Failure {
        Failure::with(ERROR_UNSUPPORTED, message)
    }

    pub fn failed(message: impl Into<String>) -> Failure { Failure::with(ERROR_FAILED, message) }

    fn told(status: tessera_status) -> Failure {
        Failure::with(if status == OK { ERROR_FAILED } else { status }, "")
    }

    fn with(status: tessera_status, message: impl Into<String>) -> Failure {
        Failure { status, message: message.into() }
    }

    pub fn status(&self) -> i32 { self.status }

    pub fn message(&self) -> &str { &self.message }
}

/// The error's text is the sentence.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure { Failure::failed(error.to_string()) }
}

// ---------------------------------------------------------------- types of values

mod sealed {
    pub trait Sealed {}

    pub trait Crossing {
        type C: Copy;
        const NAME: &'static str;
        fn leave(self) -> Self::C;
        fn enter(given: Self::C) -> Self;
        fn nothing() -> Self::C;
    }
}

/// Types of parameters, values, columns of lists and attributes: bool, i64, f64, a [`Choice`],
/// [`Point`], [`Size`], [`Rect`], [`Insets`].
pub trait Value: sealed::Sealed + Copy + Send + 'static {
    type Stored: Copy;
    const TYPE: i32;
    fn load(stored: Self::Stored) -> Self;
    fn store(self) -> Self::Stored;
    fn names() -> &'static [&'static str] { &[] }
    fn choice(self) -> Option<usize> { None }
}

/// Readable across libraries: any but choices.
pub trait Plain: Value {}

pub trait Numeric: Plain {
    type Component: Copy;
    const LOWEST: Self::Component;
    const HIGHEST: Self::Component;
    fn each(component: Self::Component) -> Self;
}

/// [`choices`] implements it.
pub trait Choice: Copy + PartialEq + Send + 'static {
    const ALL: &'static [Self];
    const NAMES: &'static [&'static str];
}

/// Defines an enum that can be a parameter:
/// `tessera::choices! { pub enum Align { Top = "top", Bottom = "bottom" } }`.
macro_rules! choices {
    ($(#[$note:meta])* $visible:vis enum $name:ident {
        $($(#[$inner:meta])* $case:ident = $text:literal),+ $(,)?
    }) => {
        $(#[$note])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible enum $name { $($(#[$inner])* $case),+ }
        impl $crate::tessera::Choice for $name {
            const ALL: &'static [Self] = &[$($name::$case),+];
            const NAMES: &'static [&'static str] = &[$($text),+];
        }
    };
}
pub(crate) use choices;

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(u8);

impl Flag {
    pub const fn get(self) -> bool { self.0 != 0 }
}

impl From<bool> for Flag {
    fn from(value: bool) -> Flag { Flag(value as u8) }
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen<T>(i32, PhantomData<T>);

impl<T: Choice> Chosen<T> {
    pub fn get(self) -> T { T::load(self) }
}

impl<T: Choice> From<T> for Chosen<T> {
    fn from(value: T) -> Chosen<T> { value.store() }
}

impl<T: Choice> sealed::Sealed for T {}
impl<T: Choice> Value for T {
    type Stored = Chosen<T>;
    const TYPE: i32 = TYPE_ENUM;
    fn load(stored: Chosen<T>) -> T {
        *usize::try_from(stored.0).ok().and_then(|index| T::ALL.get(index)).unwrap_or(&T::ALL[0])
    }
    fn store(self) -> Chosen<T> {
        let index = T::ALL.iter().position(|case| *case == self).unwrap_or(0);
        Chosen(index as i32, PhantomData)
    }
    fn names() -> &'static [&'static str] { T::NAMES }
    fn choice(self) -> Option<usize> { Some(self.store().0 as usize) }
}

impl sealed::Sealed for bool {}
impl Plain for bool {}
impl Value for bool {
    type Stored = Flag;
    const TYPE: i32 = TYPE_BOOL;
    fn load(stored: Flag) -> bool { stored.get() }
    fn store(self) -> Flag { self.into() }
}

macro_rules! plain_value {
    ($type:ty, $number:expr, $component:ty, $lowest:expr, $highest:expr, |$each:ident| $made:expr) => {
        impl sealed::Sealed for $type {}
        impl Plain for $type {}
        impl Value for $type {
            type Stored = $type;
            const TYPE: i32 = $number;
            #[inline(always)]
            fn load(stored: $type) -> $type { stored }
            #[inline(always)]
            fn store(self) -> $type { self }
        }
        impl Numeric for $type {
            type Component = $component;
            const LOWEST: $component = $lowest;
            const HIGHEST: $component = $highest;
            fn each($each: $component) -> $type { $made }
        }
    };
}
const NO_END: f64 = f64::INFINITY;
plain_value!(i64, TYPE_INT, i64, i64::MIN, i64::MAX, |n| n);
plain_value!(f64, TYPE_NUMBER, f64, -NO_END, NO_END, |n| n);
plain_value!(Point, TYPE_POINT, f64, -NO_END, NO_END, |n| Point::new(n, n));
plain_value!(Size, TYPE_SIZE, f64, -NO_END, NO_END, |n| Size::new(n, n));
plain_value!(Rect, TYPE_RECT, f64, -NO_END, NO_END, |n| Rect::new(n, n, n, n));
plain_value!(Insets, TYPE_INSETS, f64, -NO_END, NO_END, |n| Insets::new(n, n, n, n));

fn pack<T: Value>(value: T) -> tessera_value {
    let mut packed = tessera_value { insets: Insets::new(0.0, 0.0, 0.0, 0.0) };
    // Every stored type is a member of the union.
    unsafe { (&raw mut packed).cast::<T::Stored>().write(value.store()) };
    packed
}

/// # Safety
/// The address holds a value of this type, or of a type that is no larger and can be any bits.
unsafe fn unpack<T: Value>(from: *const tessera_value) -> T {
    T::load(unsafe { from.cast::<T::Stored>().read() })
}

// ---------------------------------------------------------------- functions

pub trait Argument: sealed::Crossing + Copy + 'static {}
pub trait Answer: sealed::Crossing + Copy + 'static {}

impl sealed::Crossing for () {
    type C = ();
    const NAME: &'static str = "void";
    fn leave(self) {}
    fn enter(_: ()) {}
    fn nothing() {}
}
impl Answer for () {}

impl sealed::Crossing for bool {
    type C = u8;
    const NAME: &'static str = "bool";
    fn leave(self) -> u8 { self as u8 }
    fn enter(given: u8) -> bool { given != 0 }
    fn nothing() -> u8 { 0 }
}
impl Argument for bool {}
impl Answer for bool {}

macro_rules! crossing {
    ($($type:ty: $name:literal),+ $(,)?) => {$(
        impl sealed::Crossing for $type {
            type C = $type;
            const NAME: &'static str = $name;
            fn leave(self) -> $type { self }
            fn enter(given: $type) -> $type { given }
            fn nothing() -> $type { <$type>::default() }
        }
        impl Argument for $type {}
        impl Answer for $type {}
    )+};
}
crossing! {
    u8: "u8", i8: "i8", u16: "u16", i16: "i16", u32: "u32", i32: "i32", u64: "u64", i64: "i64",
    f32: "f32", f64: "f64", Point: "point", Size: "size", Rect: "rect", Insets: "insets",
}

/// The type of a delegate function, `fn(u32, u32) -> bool`.
pub trait Signature: Copy + 'static {
    fn text() -> String;
}

/// A method that takes the host and arguments after `self`.
pub trait Publishable<L, As>: Copy + 'static {
    fn text() -> String;
    fn address() -> any_function;
}

pub trait Givable<As>: Send + 'static {
    fn text() -> String;
    fn address() -> any_function;
}

pub struct Function<'a, F> {
    address: any_function,
    context: *mut c_void,
    signature: PhantomData<(&'a (), F)>,
}

macro_rules! functions {
    ($($argument:ident: $name:ident),*) => {
        impl<R: Answer, $($argument: Argument),*> Signature for fn($($argument),*) -> R {
            fn text() -> String {
                let names: &[&str] = &[$($argument::NAME),*];
                format!("{}({})", R::NAME, names.join(","))
            }
        }

        impl<R: Answer, $($argument: Argument),*> Function<'_, fn($($argument),*) -> R> {
            #[inline]
            pub fn call(&self, $($name: $argument),*) -> R {
                type Call<Out, $($argument),*> =
                    unsafe extern "C" fn(*mut c_void, $($argument),*) -> Out;
                // input.get has compared the signature.
                unsafe {
                    let call: Call<R::C, $($argument::C),*> = std::mem::transmute(self.address);
                    R::enter(call(self.context, $($name.leave()),*))
                }
            }
        }

        impl<L, Body, R, $($argument),*> Publishable<L, fn($($argument),*) -> R> for Body
        where
            L: Layout,
            Body: Fn(&mut L, Host, $($argument),*) -> Result<R, Failure> + Copy + 'static,
            R: Answer,
            $($argument: Argument),*
        {
            fn text() -> String { <fn($($argument),*) -> R as Signature>::text() }
            fn address() -> any_function {
                const { assert!(size_of::<Body>() == 0, "publish a function, or a closure that captures nothing") };
                unsafe extern "C" fn published<L, Body, R, $($argument),*>(
                    context: *mut c_void, $($name: $argument::C),*
                ) -> R::C
                where
                    L: Layout,
                    Body: Fn(&mut L, Host, $($argument),*) -> Result<R, Failure> + Copy + 'static,
                    R: Answer,
                    $($argument: Argument),*
                {
                    // A zero-sized function: an instance existed when it was published.
                    let body = unsafe { std::ptr::NonNull::<Body>::dangling().read() };
                    let mut answer = R::nothing();
                    unsafe {
                        Bound::<L>::call(context, |layout, shared| {
                            answer = body(layout, shared.host(), $($argument::enter($name)),*)?
                                .leave();
                            Ok(())
                        });
                    }
                    answer
                }
                let address: unsafe extern "C" fn(*mut c_void, $($argument::C),*) -> R::C =
                    published::<L, Body, R, $($argument),*>;
                unsafe { std::mem::transmute(address) }
            }
        }

        impl<Body, R, $($argument),*> Givable<fn($($argument),*) -> R> for Body
        where
            Body: Fn($($argument),*) -> R + Send + 'static,
            R: Answer,
            $($argument: Argument),*
        {
            fn text() -> String { <fn($($argument),*) -> R as Signature>::text() }
            fn address() -> any_function {
                unsafe extern "C" fn given<Body, R, $($argument),*>(
                    context: *mut c_void, $($name: $argument::C),*
                ) -> R::C
                where
                    Body: Fn($($argument),*) -> R,
                    R: Answer,
                    $($argument: Argument),*
                {
                    let given = unsafe { &*context.cast::<Given<Body>>() };
                    let mut answer = R::nothing();
                    guarded(given.host, || {
                        answer = (given.body)($($argument::enter($name)),*).leave();
                        Ok(())
                    });
                    answer
                }
                let address: unsafe extern "C" fn(*mut c_void, $($argument::C),*) -> R::C =
                    given::<Body, R, $($argument),*>;
                unsafe { std::mem::transmute(address) }
            }
        }
    };
}
functions!();
functions!(A: a);
functions!(A: a, B: b);
functions!(A: a, B: b, C: c);
functions!(A: a, B: b, C: c, D: d);

struct Given<Body> {
    host: *const tessera_host,
    body: Body,
}

// The layout's host moves between threads with the layout.
unsafe impl<Body: Send> Send for Given<Body> {}

// ---------------------------------------------------------------- the identity of an engine

/// The id is reverse-DNS, the version semantic.
pub struct Identity {
    pub id: &'static str,
    pub name: &'static str,
    pub version: &'static str,
    pub author: &'static str,
    pub license: &'static str,
    pub summary: &'static str,
}

/// The version is the lowest compatible one; none: any.
pub struct BaseEngine {
    pub id: &'static str,
    pub version: Option<&'static str>,
}

macro_rules! bits {
    ($($(#[$note:meta])* $name:ident { $($constant:ident = $bit:literal),+ })+) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, PartialEq)]
        pub struct $name(u32);

        impl $name {
            $(pub const $constant: $name = $name($bit);)+

            pub const fn and(self, other: $name) -> $name { $name(self.0 | other.0) }
        }
    )+};
}
bits! {
    /// Lazy queries and dependence on the viewport follow from the implemented traits.
    Traits { NONE = 0, MIRRORS = 4, PIXEL_ALIGNED = 8, INCREMENTAL = 16 }
    Laws { NONE = 0, FLOWS = 1, APPENDS = 2, SCALES = 4 }
    Columns { NONE = 0, TRANSFORM = 1, ALPHA = 2, Z_INDEX = 4, HIDDEN = 8 }
}

/// The traits below add optional abilities.
pub trait Layout: Send + Sized + 'static {
    const IDENTITY: Identity;
    const BASE: Option<BaseEngine> = None;
    const TRAITS: Traits = Traits::NONE;
    const LAWS: Laws = Laws::NONE;
    const COLUMNS: Columns = Columns::NONE;
    const ADJUSTED_COLUMNS: Columns = Columns::NONE;

    /// Declares the same interface each time, and keeps the handles.
    fn new(declare: &mut Declare<Self>) -> Self;
}

pub trait Preparing: Layout {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure>;
}

pub trait Adjusting: Layout {
    fn adjust(&mut self, input: &Input, rect: Rect, output: &mut Output) -> Result<(), Failure>;
}

pub trait Lazy: Layout {
    fn elements_in_rect(
        &mut self, input: &Input, rect: Rect, output: &mut Output,
    ) -> Result<(), Failure>;
    fn element(&mut self, input: &Input, run: Run, output: &mut Output) -> Result<(), Failure>;
}

pub trait Reusable: Layout {
    fn still_valid(&mut self, input: &Input) -> bool;
}

/// The velocity is in points per second.
pub trait Snapping: Layout {
    fn resting_offset(
        &mut self, input: &Input, velocity: Point, proposed: Point,
    ) -> Result<Point, Failure>;
}

pub trait Reordering: Layout {
    fn target(
        &mut self, input: &Input, dragged: Place, at: Point, proposed: Place,
    ) -> Result<Place, Failure>;
}

pub trait Sizing: Layout {
    const MEASURED: &'static [Measured];
    /// Returns the number written: one for each element, 1 for all, or 0 to turn measuring off.
    fn estimates(
        &mut self, input: &Input, run: Run, sizes: &mut [Size],
    ) -> Result<usize, Failure>;
    /// Returns the number written: one for each element, or 1 for all.
    fn proposals(
        &mut self, input: &Input, run: Run, sizes: &mut [Size],
    ) -> Result<usize, Failure>;
}

pub struct Measured {
    /// An item value for cells, a section value for a supplementary kind.
    pub value: &'static str,
    /// None: cells.
    pub kind: Option<&'static str>,
}

/// In the order of the calls.
pub trait Updating: Layout {
    fn begin(&mut self, _input: &Input, _updates: &[Update]) -> Result<(), Failure> { Ok(()) }
    fn initial_attributes(
        &mut self, _input: &Input, _output: &mut Output,
    ) -> Result<(), Failure> {
        Ok(())
    }
    fn final_attributes(&mut self, _input: &Input, _output: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
    fn end(&mut self) {}
}

/// The item counts within its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub section: usize,
    pub item: usize,
}

/// `from` is an old index, `to` a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    InsertItem { to: Place },
    DeleteItem { from: Place },
    MoveItem { from: Place, to: Place },
    ReloadItem { from: Place },
    InsertSection { to: usize },
    DeleteSection { from: usize },
    MoveSection { from: usize, to: usize },
    ReloadSection { from: usize },
}

impl Update {
    fn new(of: &tessera_update) -> Option<Update> {
        let from = Place { section: of.from_section as usize, item: of.from_item as usize };
        let to = Place { section: of.to_section as usize, item: of.to_item as usize };
        Some(match of.operation {
            1 => Update::InsertItem { to },
            2 => Update::DeleteItem { from },
            3 => Update::MoveItem { from, to },
            4 => Update::ReloadItem { from },
            5 => Update::InsertSection { to: to.section },
            6 => Update::DeleteSection { from: from.section },
            7 => Update::MoveSection { from: from.section, to: to.section },
            8 => Update::ReloadSection { from: from.section },
            _ => return None,
        })
    }
}

// ---------------------------------------------------------------- declarations

macro_rules! handles {
    ($($(#[$note:meta])* $name:ident<T $(, const $scope:ident: u32)?>)+) => {$(
        $(#[$note])*
        #[derive(Clone, Copy)]
        pub struct $name<T $(, const $scope: u32)?> {
            name: &'static str,
            index: usize,
            of: PhantomData<fn() -> T>,
        }
        impl<T $(, const $scope: u32)?> $name<T $(, $scope)?> {
            pub fn name(&self) -> &'static str { self.name }
        }
    )+};
}
handles! {
    /// One value for the whole layout: `input.get(parameter)`.
    Parameter<T>
    /// A value for each section or item: `input.get(values)`, a [`Column`].
    Values<T, const SCOPE: u32>
    /// A function that the host may supply: `input.get(delegate)`.
    Delegate<T>
    /// A column that the engine adds: `rows.attributes.column(attribute)`.
    Attribute<T>
    /// A parameter of the base: `base.get(inherited)`, `base.set(inherited, …)`.
    Inherited<T>
}
pub type SectionValues<T> = Values<T, SCOPE_SECTION>;
/// By the item's position among all.
pub type ItemValues<T> = Values<T, SCOPE_ITEM>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    category: Category,
    number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    Cell,
    Supplementary,
    Decoration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Other,
    Header,
    Footer,
    Badge,
    Background,
    Separator,
    Label,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    Linear,
    Step,
    None,
}

/// A declaration for [`Declare::add`], which returns the handle.
pub trait Declaration<L> {
    type Handle;
    fn add_to(self, declare: &mut Declare<L>) -> Self::Handle;
}

pub struct ParameterDeclaration<T> {
    name: &'static str,
    help: &'static str,
    unit: Option<&'static str>,
    initial: T,
    limits: Option<(T, T)>,
    flags: u32,
}

macro_rules! settings {
    ($($(#[$note:meta])* $name:ident($($given:ident: $type:ty)?): $field:ident = $value:expr),+) => {$(
        $(#[$note])*
        pub fn $name(mut self $(, $given: $type)?) -> Self {
            self.$field = $value;
            self
        }
    )+};
    (flags) => {
        /// For programs or derived engines, no effect here.
        pub fn hint(mut self) -> Self {
            self.flags |= FLAG_HINT;
            self
        }

        /// Only adjust reads it: a change needs no prepare.
        pub fn in_adjust(mut self) -> Self {
            self.flags |= FLAG_IN_ADJUST;
            self
        }
    };
}

/// The help is one sentence.
pub fn parameter<T: Value>(
    name: &'static str, initial: T, help: &'static str,
) -> ParameterDeclaration<T> {
    ParameterDeclaration { name, help, unit: None, initial, limits: None, flags: 0 }
}

impl<T> ParameterDeclaration<T> {
    settings!(
        /// "pt", "rad".
        unit(unit: &'static str): unit = Some(unit)
    );
    settings!(flags);
}

impl<T: Numeric> ParameterDeclaration<T> {
    /// Inclusive, for each component.
    pub fn at_least(self, lowest: T::Component) -> Self { self.within(lowest, T::HIGHEST) }

    pub fn at_most(self, highest: T::Component) -> Self { self.within(T::LOWEST, highest) }

    pub fn within(mut self, lowest: T::Component, highest: T::Component) -> Self {
        self.limits = Some((T::each(lowest), T::each(highest)));
        self
    }
}

impl<T: Value> ParameterDeclaration<T> {
    fn described<L>(&self, declare: &Declare<L>) -> tessera_parameter {
        let no_limits = tessera_value { insets: Insets::new(0.0, 0.0, 0.0, 0.0) };
        let (minimum, maximum) =
            self.limits.map_or((no_limits, no_limits), |(low, high)| (pack(low), pack(high)));
        let (choices, choice_count) = declare.names(T::names());
        tessera_parameter {
            name: declare.text(self.name), help: declare.text(self.help),
            unit: declare.optional(self.unit), choices, choice_count, type_: T::TYPE,
            flags: self.flags, reserved: 0, initial: pack(self.initial), minimum, maximum,
        }
    }
}

impl<L, T: Value> Declaration<L> for ParameterDeclaration<T> {
    type Handle = Parameter<T>;
    fn add_to(self, declare: &mut Declare<L>) -> Parameter<T> {
        declare.parameters.push(self.described(declare));
        Parameter { name: self.name, index: declare.parameters.len() - 1, of: PhantomData }
    }
}

pub struct ValuesDeclaration<T, const SCOPE: u32> {
    name: &'static str,
    help: &'static str,
    fallback: Option<&'static str>,
    flags: u32,
    of: PhantomData<T>,
}

macro_rules! values {
    ($($name:ident: $scope:ident),+) => {$(
        pub fn $name<T: Value>(
            name: &'static str, help: &'static str,
        ) -> ValuesDeclaration<T, $scope> {
            ValuesDeclaration { name, help, fallback: None, flags: 0, of: PhantomData }
        }
    )+};
}
values!(section_values: SCOPE_SECTION, item_values: SCOPE_ITEM);

impl<T, const SCOPE: u32> ValuesDeclaration<T, SCOPE> {
    settings!(
        /// The default; otherwise zero.
        fallback(parameter: Parameter<T>): fallback = Some(parameter.name)
    );
    settings!(flags);
}

impl<L, T: Value, const SCOPE: u32> Declaration<L> for ValuesDeclaration<T, SCOPE> {
    type Handle = Values<T, SCOPE>;
    fn add_to(self, declare: &mut Declare<L>) -> Values<T, SCOPE> {
        declare.values.push(tessera_value_declaration {
            name: declare.text(self.name), help: declare.text(self.help),
            fallback: declare.optional(self.fallback), type_: T::TYPE, scope: SCOPE,
            flags: self.flags, reserved: 0,
        });
        Values { name: self.name, index: declare.values.len() - 1, of: PhantomData }
    }
}

/// Records that a user gives: `input.count(list)`. A tree has a column `parameter("parent", -1i64,
/// …)`: the index of a record's parent, or -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    name: &'static str,
    index: usize,
}

/// A column for every record of a list: `input.get(column)`.
#[derive(Clone, Copy)]
pub struct ListColumn<T> {
    list: List,
    of: Parameter<T>,
}

pub struct ListDeclaration {
    name: &'static str,
    help: &'static str,
}

/// Add its columns after it.
pub fn list(name: &'static str, help: &'static str) -> ListDeclaration {
    ListDeclaration { name, help }
}

impl<L> Declaration<L> for ListDeclaration {
    type Handle = List;
    fn add_to(self, declare: &mut Declare<L>) -> List {
        declare.lists.push(DeclaredList {
            name: declare.text(self.name),
            help: declare.text(self.help),
            columns: Vec::new(),
        });
        List { name: self.name, index: declare.lists.len() - 1 }
    }
}

pub struct ListColumnDeclaration<T> {
    list: List,
    of: ParameterDeclaration<T>,
}

impl List {
    /// `declare.add(bands.column(parameter("height", 40.0, "…").at_least(0.0)))`; the initial value
    /// is the default.
    pub fn column<T: Value>(self, of: ParameterDeclaration<T>) -> ListColumnDeclaration<T> {
        ListColumnDeclaration { list: self, of }
    }
}

impl<L, T: Value> Declaration<L> for ListColumnDeclaration<T> {
    type Handle = ListColumn<T>;
    fn add_to(self, declare: &mut Declare<L>) -> ListColumn<T> {
        let name = self.of.name;
        let column = self.of.described(declare);
        let Some(list) = declare.lists.get_mut(self.list.index) else { foreign(self.list.name) };
        list.columns.push(column);
        let index = list.columns.len() - 1;
        ListColumn { list: self.list, of: Parameter { name, index, of: PhantomData } }
    }
}

pub struct DelegateDeclaration<F> {
    name: &'static str,
    help: &'static str,
    of: PhantomData<F>,
}

/// `delegate::<fn(u32, u32) -> bool>("…", "…")`.
pub fn delegate<F: Signature>(name: &'static str, help: &'static str) -> DelegateDeclaration<F> {
    DelegateDeclaration { name, help, of: PhantomData }
}

impl<L, F: Signature> Declaration<L> for DelegateDeclaration<F> {
    type Handle = Delegate<F>;
    fn add_to(self, declare: &mut Declare<L>) -> Delegate<F> {
        let signature = F::text();
        declare.functions.push(tessera_function_declaration {
            name: declare.text(self.name),
            signature: declare.text(&signature),
            help: declare.text(self.help),
            published: None,
        });
        declare.signatures.push(signature);
        Delegate { name: self.name, index: declare.functions.len() - 1, of: PhantomData }
    }
}

pub struct AttributeDeclaration<T> {
    name: &'static str,
    help: &'static str,
    unit: Option<&'static str>,
    initial: T,
    interpolation: Interpolation,
    adjusted: bool,
}

/// Rows start with the value `initial`.
pub fn attribute<T: Value>(
    name: &'static str, initial: T, help: &'static str,
) -> AttributeDeclaration<T> {
    let interpolation = Interpolation::Linear;
    AttributeDeclaration { name, help, unit: None, initial, interpolation, adjusted: false }
}

impl<T> AttributeDeclaration<T> {
    settings!(
        /// "pt", "rad"; "h", "d" or "mo" for a time or a date.
        unit(unit: &'static str): unit = Some(unit),
        interpolation(interpolation: Interpolation): interpolation = interpolation,
        /// Written in adjust and lazy queries only.
        adjusted(): adjusted = true
    );
}

impl<L, T: Value> Declaration<L> for AttributeDeclaration<T> {
    type Handle = Attribute<T>;
    fn add_to(self, declare: &mut Declare<L>) -> Attribute<T> {
        let (choices, choice_count) = declare.names(T::names());
        declare.attributes.push(tessera_attribute {
            name: declare.text(self.name), help: declare.text(self.help),
            unit: declare.optional(self.unit), choices, choice_count, type_: T::TYPE,
            interpolation: self.interpolation as i32, when: self.adjusted as u32,
            initial: pack(self.initial),
        });
        Attribute { name: self.name, index: declare.attributes.len() - 1, of: PhantomData }
    }
}

pub struct KindDeclaration {
    name: &'static str,
    shows: Option<&'static str>,
    category: Category,
    role: Role,
}

/// Belongs to the data, such as a header.
pub fn supplementary(name: &'static str) -> KindDeclaration {
    KindDeclaration { name, shows: None, category: Category::Supplementary, role: Role::Other }
}

/// Belongs to the layout, such as a separator.
pub fn decoration(name: &'static str) -> KindDeclaration {
    KindDeclaration { name, shows: None, category: Category::Decoration, role: Role::Other }
}

impl KindDeclaration {
    settings!(role(role: Role): role = role);

    /// The attribute with an element's meaning; otherwise its section or item.
    pub fn shows<T>(mut self, attribute: Attribute<T>) -> Self {
        self.shows = Some(attribute.name);
        self
    }
}

impl<L> Declaration<L> for KindDeclaration {
    type Handle = Kind;
    fn add_to(self, declare: &mut Declare<L>) -> Kind {
        let number = declare.kinds.len() as u32;
        declare.kinds.push(tessera_kind {
            name: declare.text(self.name),
            shows: declare.optional(self.shows),
            category: self.category as i32,
            role: self.role as i32,
        });
        Kind { category: self.category, number }
    }
}

pub struct InheritedDeclaration<T> {
    name: &'static str,
    initial: Option<T>,
    owned: bool,
}

pub fn inherited<T: Value>(name: &'static str) -> InheritedDeclaration<T> {
    InheritedDeclaration { name, initial: None, owned: false }
}

impl<T> InheritedDeclaration<T> {
    settings!(
        /// The default under this engine; the user can still set it.
        initially(initial: T): initial = Some(initial),
        /// The user cannot set it through this engine; needs an initial value.
        owned(): owned = true
    );
}

impl<L, T: Value> Declaration<L> for InheritedDeclaration<T> {
    type Handle = Inherited<T>;
    fn add_to(self, declare: &mut Declare<L>) -> Inherited<T> {
        if let Some(initial) = self.initial {
            declare.settings.push(tessera_setting {
                name: declare.text(self.name),
                choice: declare.optional(initial.choice().map(|index| T::names()[index])),
                type_: T::TYPE,
                owned: self.owned as u32,
                value: pack(initial),
            });
        }
        Inherited { name: self.name, index: 0, of: PhantomData }
    }
}

struct DeclaredList {
    name: text,
    help: text,
    columns: Vec<tessera_parameter>,
}

macro_rules! declare {
    ($($field:ident: $type:ty),+) => {
        pub struct Declare<L> {
            // False for a layout that is only bound to its host.
            describing: bool,
            $($field: Vec<$type>,)+
            of: PhantomData<fn() -> L>,
        }

        impl<L> Declare<L> {
            fn new(describing: bool) -> Self {
                Declare { describing, $($field: Vec::new(),)+ of: PhantomData }
            }
        }
    };
}
declare!(
    parameters: tessera_parameter, values: tessera_value_declaration, lists: DeclaredList,
    functions: tessera_function_declaration, signatures: String,
    published: tessera_function_declaration, attributes: tessera_attribute, kinds: tessera_kind,
    settings: tessera_setting
);

impl<L> Declare<L> {
    pub fn add<D: Declaration<L>>(&mut self, declaration: D) -> D::Handle {
        declaration.add_to(self)
    }

    /// Publishes a method: `declare.publish("turns", Spiral::turns, "How often it turns.")` for
    /// `fn turns(&mut self, host: Host, from: f64) -> Result<f64, Failure>`.
    pub fn publish<As, F: Publishable<L, As>>(
        &mut self, name: &'static str, _method: F, help: &'static str,
    ) {
        let function = tessera_function_declaration {
            name: self.text(name),
            signature: self.text(&F::text()),
            help: self.text(help),
            published: Some(F::address()),
        };
        self.published.push(function);
    }

    fn text(&self, text: &str) -> text {
        if self.describing {
            permanent_text(text)
        } else {
            std::ptr::null()
        }
    }

    fn optional(&self, text: Option<&str>) -> text {
        text.map_or(std::ptr::null(), |text| self.text(text))
    }

    fn names(&self, names: &[&str]) -> (*const text, u32) {
        if names.is_empty() || !self.describing {
            return (std::ptr::null(), names.len() as u32);
        }
        let texts = names.iter().map(|name| permanent_text(name)).collect();
        (permanent(texts).as_ptr(), names.len() as u32)
    }
}

/// Never freed.
fn permanent<T>(list: Vec<T>) -> &'static [T] { Vec::leak(list) }

fn permanent_text(text: &str) -> text {
    let text = CString::new(text).expect("a declared text holds a zero byte; take it out");
    Box::leak(text.into_boxed_c_str()).as_ptr()
}

// ---------------------------------------------------------------- input

/// To check handles.
struct Shape {
    parameters: Vec<i32>,
    values: Vec<(i32, u32)>,
    // By list.
    lists: Vec<Vec<i32>>,
    signatures: Vec<String>,
    attributes: Vec<i32>,
}

struct Shared {
    host: *const tessera_host,
    shape: &'static Shape,
    // Callable until the end of the next prepare.
    given: RefCell<Vec<Box<dyn Any + Send>>>,
}

impl Shared {
    fn host(&self) -> Host<'_> { Host { shared: self } }
}

#[cold]
fn foreign(name: &str) -> ! { panic!("{name} was declared by another layout") }

/// A single value can serve all, without a branch.
#[derive(Clone, Copy)]
pub struct Column<'a, T> {
    data: *const u8,
    stride: usize,
    count: usize,
    // Whether overrides leave its values alone.
    is_steady: bool,
    of: PhantomData<&'a T>,
}

impl<'a, T: Value> Column<'a, T> {
    fn new(column: tessera_column, count: usize, is_steady: bool) -> Self {
        let count = if column.data.is_null() { 0 } else { count };
        let (data, stride) = (column.data.cast(), column.stride as usize);
        Column { data, stride, count, is_steady, of: PhantomData }
    }

    pub fn len(&self) -> usize { self.count }

    pub fn is_empty(&self) -> bool { self.count == 0 }

    /// Panics if the index is out of range.
    #[inline]
    pub fn at(&self, index: usize) -> T {
        assert!(index < self.count, "there is no value {index} among {}", self.count);
        unsafe { self.read(index) }
    }

    /// # Safety
    /// The index is below the count.
    #[inline(always)]
    unsafe fn read(&self, index: usize) -> T {
        T::load(unsafe { self.data.add(index * self.stride).cast::<T::Stored>().read() })
    }

    /// None if values may differ or are missing.
    pub fn constant(&self) -> Option<T> { (self.stride == 0 && self.count > 0).then(|| self.at(0)) }

    /// Indices start at 0. Panics if out of bounds.
    pub fn slice(&self, range: Range<usize>) -> Column<'a, T> {
        assert!(
            range.start <= range.end && range.end <= self.count,
            "there are no values {range:?} among {}",
            self.count
        );
        let data = self.data.wrapping_add(range.start * self.stride);
        Column { data, count: range.len(), ..*self }
    }

    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + 'a {
        let column = *self;
        (0..column.count).map(move |index| unsafe { column.read(index) })
    }

    /// None if they are not contiguous, or an override may change them.
    pub fn as_slice(&self) -> Option<&'a [T::Stored]> {
        if self.count == 0 {
            return Some(&[]);
        }
        if !self.is_steady || self.stride != size_of::<T::Stored>() {
            return None;
        }
        Some(unsafe { std::slice::from_raw_parts(self.data.cast(), self.count) })
    }
}

#[derive(Clone, Copy)]
pub struct Change(tessera_change);

impl Change {
    fn has(&self, bits: u32) -> bool { self.0.what & (CHANGED_ALL | bits) != 0 }

    /// Items at the start of a section that existed with the same values.
    pub fn unchanged_items(&self, section: usize) -> usize {
        let first = self.0.first_section as usize;
        if self.everything() || section > first {
            0
        } else if section < first {
            usize::MAX
        } else {
            self.0.first_item as usize
        }
    }

    /// Items at the end of all that have the same values.
    pub fn unchanged_last_items(&self) -> usize {
        if self.everything() { 0 } else { self.0.last_count as usize }
    }
}

macro_rules! changes {
    ($($name:ident: $bit:ident),+) => {
        impl Change {$(
            pub fn $name(&self) -> bool { self.has($bit) }
        )+}
    };
}
changes!(
    everything: CHANGED_ALL, bounds: CHANGED_BOUNDS, parameters: CHANGED_PARAMETERS,
    counts: CHANGED_COUNTS, values: CHANGED_VALUES, lists: CHANGED_LISTS
);

#[derive(Clone, Copy)]
pub struct Input<'a> {
    raw: &'a tessera_input,
    shared: &'a Shared,
}

pub trait Readable<'a> {
    type Found;
    fn read(self, input: &Input<'a>) -> Self::Found;
}

macro_rules! fields {
    ($($(#[$note:meta])* $name:ident: $type:ty),+) => {$(
        $(#[$note])*
        pub fn $name(&self) -> $type { self.raw.$name }
    )+};
}

impl<'a> Input<'a> {
    /// A value, a [`Column`], or a [`Function`] if the host supplies it.
    #[inline]
    pub fn get<H: Readable<'a>>(&self, handle: H) -> H::Found { handle.read(self) }

    pub fn bounds(&self) -> Size { Size::new(self.raw.viewport.width, self.raw.viewport.height) }

    fields! {
        /// Its origin is the scroll offset.
        viewport: Rect,
        content_insets: Insets,
        safe_area: Insets,
        layout_margins: Insets,
        scale: f64
    }

    pub fn right_to_left(&self) -> bool { self.raw.right_to_left != 0 }

    /// Bounds less content insets, never negative.
    pub fn extent(&self) -> Size {
        let (bounds, insets) = (self.bounds(), self.raw.content_insets);
        let room = |length: f64, leading: f64, trailing: f64| {
            (length - leading - trailing).clamp(0.0, f64::MAX)
        };
        Size::new(
            room(bounds.width, insets.left, insets.right),
            room(bounds.height, insets.top, insets.bottom),
        )
    }

    pub fn change(&self) -> Change { Change(self.raw.change) }

    fn starts(&self) -> &'a [u64] {
        let count = self.raw.section_count as usize + 1;
        unsafe { std::slice::from_raw_parts(self.raw.section_starts, count) }
    }

    pub fn section_count(&self) -> usize { self.raw.section_count as usize }

    /// In all sections.
    pub fn item_count(&self) -> usize { self.starts()[self.section_count()] as usize }

    fn count_in(&self, scope: u32) -> usize {
        if scope == SCOPE_ITEM { self.item_count() } else { self.section_count() }
    }

    /// By position among all items, as in columns of item values.
    pub fn items(&self, section: usize) -> Range<usize> {
        let starts = self.starts();
        starts[section] as usize..starts[section + 1] as usize
    }

    /// By position among all items.
    pub fn sections(&self) -> impl ExactSizeIterator<Item = Range<usize>> + 'a {
        self.starts().windows(2).map(|pair| pair[0] as usize..pair[1] as usize)
    }

    /// For error messages. O(log sections). Panics if out of range.
    pub fn place(&self, item: usize) -> Place {
        assert!(item < self.item_count(), "there is no item {item} among {}", self.item_count());
        let starts = self.starts();
        let section = starts.partition_point(|start| *start <= item as u64) - 1;
        Place { section, item: item - starts[section] as usize }
    }

    pub fn count(&self, list: List) -> usize {
        if list.index >= self.shared.shape.lists.len() {
            foreign(list.name);
        }
        unsafe { (*self.raw.lists.add(list.index)).count as usize }
    }

    /// Fails without a base.
    pub fn base(&self) -> Result<Base<'a>, Failure> {
        if self.raw.super_.is_null() {
            return Err(Failure::failed("the layout has no base; give its type a BASE"));
        }
        Ok(Base { raw: self.raw.super_, input: *self })
    }

    pub fn host(&self) -> Host<'a> { Host { shared: self.shared } }
}

impl<'a, T: Value> Readable<'a> for Parameter<T> {
    type Found = T;
    #[inline]
    fn read(self, input: &Input<'a>) -> T {
        if input.shared.shape.parameters.get(self.index) != Some(&T::TYPE) {
            foreign(self.name);
        }
        unsafe { unpack(input.raw.parameters.add(self.index)) }
    }
}

impl<'a, T: Value, const SCOPE: u32> Readable<'a> for Values<T, SCOPE> {
    type Found = Column<'a, T>;
    fn read(self, input: &Input<'a>) -> Column<'a, T> {
        if input.shared.shape.values.get(self.index) != Some(&(T::TYPE, SCOPE)) {
            foreign(self.name);
        }
        Column::new(unsafe { *input.raw.values.add(self.index) }, input.count_in(SCOPE), true)
    }
}

impl<'a, T: Value> Readable<'a> for ListColumn<T> {
    type Found = Column<'a, T>;
    fn read(self, input: &Input<'a>) -> Column<'a, T> {
        let columns = input.shared.shape.lists.get(self.list.index);
        if columns.and_then(|types| types.get(self.of.index)) != Some(&T::TYPE) {
            foreign(self.of.name);
        }
        let list = unsafe { *input.raw.lists.add(self.list.index) };
        Column::new(unsafe { *list.columns.add(self.of.index) }, list.count as usize, true)
    }
}

impl<'a, F: Signature> Readable<'a> for Delegate<F> {
    type Found = Option<Function<'a, F>>;
    fn read(self, input: &Input<'a>) -> Option<Function<'a, F>> {
        if input.shared.shape.signatures.get(self.index) != Some(&F::text()) {
            foreign(self.name);
        }
        let function = unsafe { *input.raw.functions.add(self.index) };
        let (address, context) = (function.call?, function.context);
        Some(Function { address, context, signature: PhantomData })
    }
}

#[derive(Clone, Copy)]
pub struct Host<'a> {
    shared: &'a Shared,
}

impl Host<'_> {
    pub fn warn(&self, message: &str) { report(self.shared.host, OK, message); }

    /// Works while rows are being written, too. Fails if the host cancels the call: pass the
    /// failure on.
    pub fn progress(&self, fraction: f64) -> Result<(), Failure> {
        let host = self.shared.host;
        match unsafe { ((*host).progress)(host, fraction) } {
            0 => Err(Failure::told(ERROR_CANCELLED)),
            _ => Ok(()),
        }
    }

    /// tessera.query/1.
    pub fn placed(&self, rect: Rect) -> Result<Vec<(Run, Vec<Rect>)>, Failure> {
        let host = self.shared.host;
        let table = unsafe { ((*host).extension)(host, QUERY.as_ptr()) };
        if table.is_null() {
            return Err(Failure::unsupported(
                "the host does not say where elements are (tessera.query/1); use one that does",
            ));
        }
        let mut found = std::ptr::null_mut();
        let table = table.cast::<tessera_query>();
        let status = unsafe { ((*table).elements_in_rect)(host, rect, &mut found) };
        if status == ERROR_WRONG_STATE {
            let message = "where elements are can be asked only in published functions and in \
                           those of extensions; keep what prepare and adjust need";
            return Err(Failure::with(status, message));
        }
        if status != OK || found.is_null() {
            return Err(Failure::told(status));
        }
        let mut output = Output { raw: found, shared: self.shared };
        (0..output.run_count())
            .map(|index| output.get(index).map(|(run, rows)| (run, rows.frames.to_vec())))
            .collect()
    }
}

// ---------------------------------------------------------------- output

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub category: Category,
    /// 0 for cells.
    pub kind: u32,
    pub section: usize,
    /// Counted within the section.
    pub first_item: usize,
    pub count: usize,
}

impl Run {
    /// Items count within the section.
    pub fn cells(section: usize, items: Range<usize>) -> Run {
        Run::elements(Kind { category: Category::Cell, number: 0 }, section, items)
    }

    pub fn elements(kind: Kind, section: usize, items: Range<usize>) -> Run {
        let (first_item, count) = (items.start, items.len());
        Run { category: kind.category, kind: kind.number, section, first_item, count }
    }

    /// The only element of a kind in a section.
    pub fn element(kind: Kind, section: usize) -> Run { Run::elements(kind, section, 0..1) }

    pub fn is_cells(&self) -> bool { self.category == Category::Cell }

    pub fn is(&self, kind: Kind) -> bool {
        self.category == kind.category && self.kind == kind.number
    }

    fn new(run: &tessera_run) -> Run {
        let category = match run.category {
            1 => Category::Supplementary,
            2 => Category::Decoration,
            _ => Category::Cell,
        };
        Run {
            category, kind: run.kind, section: run.section as usize,
            first_item: run.first_item as usize, count: run.count as usize,
        }
    }

    fn raw(&self) -> Result<tessera_run, Failure> {
        let section = u32::try_from(self.section).map_err(|_| {
            Failure::failed(format!("section {} is more than the host can count", self.section))
        })?;
        Ok(tessera_run {
            category: self.category as i32, kind: self.kind, section, reserved: 0,
            first_item: self.first_item as u64, count: self.count as u64,
        })
    }
}

/// Columns are empty if no engine of the chain declares them.
pub struct Rows<'a> {
    pub kept: usize,
    /// Uninitialized in an added run: write all from `kept` on.
    pub frames: &'a mut [Rect],
    pub transforms: &'a mut [Transform],
    pub alphas: &'a mut [f64],
    pub z_indexes: &'a mut [i32],
    pub hidden: &'a mut [Flag],
    pub attributes: Attributes<'a>,
    raw: *const tessera_rows,
    output: *mut tessera_output,
}

impl Rows<'_> {
    pub fn leave(&mut self, count: usize) {
        unsafe {
            if !self.output.is_null() {
                ((*self.output).leave)(self.output, self.raw, count as u64);
            }
        }
    }

    pub fn len(&self) -> usize { self.frames.len() }

    pub fn is_empty(&self) -> bool { self.frames.is_empty() }

    /// # Safety
    /// The host keeps the rows (or null) for the lifetime, with exclusive access.
    unsafe fn new(rows: *const tessera_rows, shared: &Shared) -> Rows<'_> {
        static NO_ROWS: NoRows = NoRows(unsafe { std::mem::zeroed() });
        let rows = unsafe { rows.as_ref() }.unwrap_or(&NO_ROWS.0);
        let count = rows.count as usize;
        unsafe {
            Rows {
                kept: rows.kept as usize,
                frames: writable(rows.frame, count),
                transforms: writable(rows.transform, count),
                alphas: writable(rows.alpha, count),
                z_indexes: writable(rows.z_index, count),
                hidden: writable(rows.hidden.cast(), count),
                attributes: Attributes { columns: rows.attributes, count, shape: shared.shape },
                raw: rows,
                output: std::ptr::null_mut(),
            }
        }
    }
}

struct NoRows(tessera_rows);
unsafe impl Sync for NoRows {}

/// # Safety
/// Null, or the address of `count` values with exclusive access for the lifetime.
unsafe fn writable<'a, T>(data: *mut T, count: usize) -> &'a mut [T] {
    if data.is_null() {
        return &mut [];
    }
    unsafe { std::slice::from_raw_parts_mut(data, count) }
}

pub struct Attributes<'a> {
    columns: *const *mut c_void,
    count: usize,
    shape: &'a Shape,
}

impl Attributes<'_> {
    pub fn column<T: Value>(&mut self, attribute: Attribute<T>) -> &mut [T::Stored] {
        if self.shape.attributes.get(attribute.index) != Some(&T::TYPE) {
            foreign(attribute.name);
        }
        if self.columns.is_null() {
            return &mut [];
        }
        unsafe { writable((*self.columns.add(attribute.index)).cast(), self.count) }
    }
}

pub struct Output<'a> {
    raw: *mut tessera_output,
    shared: &'a Shared,
}

impl<'a> Output<'a> {
    /// tessera.adjusting/1.
    pub fn needs_no_adjust(&self) {
        let host = self.shared.host;
        unsafe {
            let table = ((*host).extension)(host, ADJUSTING.as_ptr()).cast::<tessera_adjusting>();
            if let Some(table) = table.as_ref() {
                (table.not_needed)(host);
            }
        }
    }

    pub fn add(&mut self, run: Run) -> Result<Rows<'_>, Failure> {
        let raw = run.raw()?;
        let mut rows = std::ptr::null();
        let status = unsafe { ((*self.raw).add)(self.raw, &raw, &mut rows) };
        if status == ERROR_NO_SPACE || status == ERROR_CANCELLED {
            return Err(Failure::told(status));
        }
        if status != OK {
            let message = format!(
                "the host refused {} elements from item {} of section {} on; add sections, items \
                 and kinds that there are",
                run.count, run.first_item, run.section
            );
            return Err(Failure::with(status, message));
        }
        if run.count == 0 {
            return Ok(unsafe { Rows::new(std::ptr::null(), self.shared) });
        }
        let mut added = unsafe { Rows::new(rows, self.shared) };
        added.output = self.raw;
        Ok(added)
    }

    /// Usually one element.
    pub fn add_at(&mut self, run: Run, frame: Rect) -> Result<(), Failure> {
        self.add(run)?.frames.fill(frame);
        Ok(())
    }

    pub fn run_count(&self) -> usize { unsafe { ((*self.raw).run_count)(self.raw) as usize } }

    pub fn get(&mut self, index: usize) -> Result<(Run, Rows<'_>), Failure> {
        let mut run = tessera_run {
            category: 0, kind: 0, section: 0, reserved: 0, first_item: 0, count: 0,
        };
        let mut rows = std::ptr::null();
        let status = unsafe { ((*self.raw).get)(self.raw, index as u64, &mut run, &mut rows) };
        if status != OK {
            let message = format!(
                "the engine asked for run {index} of {}; ask for one that there is",
                self.run_count()
            );
            return Err(Failure::with(status, message));
        }
        Ok((Run::new(&run), unsafe { Rows::new(rows, self.shared) }))
    }

    pub fn each_run(
        &mut self, mut body: impl FnMut(Run, Rows<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for index in 0..self.run_count() {
            let (run, rows) = self.get(index)?;
            body(run, rows)?;
        }
        Ok(())
    }

    /// Fails if the size is invalid.
    pub fn set_content_size(&mut self, size: Size) -> Result<(), Failure> {
        let is_length = |length: f64| length.is_finite() && length >= 0.0;
        if !(is_length(size.width) && is_length(size.height)) {
            return Err(Failure::invalid_value(format!(
                "the content would be {}×{} points; it must be finite and not negative, so give \
                 smaller lengths, or fewer items",
                size.width, size.height
            )));
        }
        unsafe { ((*self.raw).set_content_size)(self.raw, size) };
        Ok(())
    }

    pub fn content_size(&self) -> Size { unsafe { ((*self.raw).content_size)(self.raw) } }

    pub fn progress(&self, fraction: f64) -> Result<(), Failure> {
        self.shared.host().progress(fraction)
    }
}

// ---------------------------------------------------------------- the base

/// Overrides apply until the next prepare.
pub struct Base<'a> {
    raw: *mut tessera_super,
    input: Input<'a>,
}

impl<'a> Base<'a> {
    /// A failure names the declaration.
    fn ask(
        &self, name: &str, call: impl FnOnce(*mut tessera_super, text) -> tessera_status,
    ) -> Result<(), Failure> {
        let c_name = named(name)?;
        taken(call(self.raw, c_name.as_ptr()), name)
    }

    /// Only in the functions of the same names.
    pub fn prepare(&mut self, output: &mut Output) -> Result<(), Failure> {
        done(unsafe { ((*self.raw).prepare)(self.raw, output.raw) })
    }

    pub fn adjust(&mut self, rect: Rect, output: &mut Output) -> Result<(), Failure> {
        done(unsafe { ((*self.raw).adjust)(self.raw, rect, output.raw) })
    }

    pub fn elements_in_rect(&mut self, rect: Rect, output: &mut Output) -> Result<(), Failure> {
        done(unsafe { ((*self.raw).elements_in_rect)(self.raw, rect, output.raw) })
    }

    pub fn element(&mut self, run: Run, output: &mut Output) -> Result<(), Failure> {
        done(unsafe { ((*self.raw).element)(self.raw, &run.raw()?, output.raw) })
    }

    pub fn still_valid(&mut self) -> bool { unsafe { ((*self.raw).still_valid)(self.raw) == 1 } }

    /// Choices cross libraries by name only and cannot be read.
    pub fn get<T: Plain>(&self, parameter: Inherited<T>) -> Result<T, Failure> {
        let mut value = pack(0i64);
        self.ask(parameter.name, |raw, name| unsafe {
            ((*raw).get)(raw, name, T::TYPE, &mut value)
        })?;
        Ok(unsafe { unpack(&value) })
    }

    /// In prepare and still_valid.
    pub fn set<T: Value>(&mut self, parameter: Inherited<T>, to: T) -> Result<(), Failure> {
        let name = named(parameter.name)?;
        let status = match to.choice() {
            Some(index) => {
                let choice = named(T::names()[index])?;
                unsafe { ((*self.raw).set_choice)(self.raw, name.as_ptr(), choice.as_ptr()) }
            }
            None => unsafe { ((*self.raw).set)(self.raw, name.as_ptr(), T::TYPE, &pack(to)) },
        };
        // The host itself reports why a value is invalid.
        if status == ERROR_INVALID_VALUE {
            return Err(Failure::told(status));
        }
        taken(status, parameter.name)
    }

    pub fn section_values<T: Plain>(&self, name: &str) -> Result<Column<'a, T>, Failure> {
        self.values(name, SCOPE_SECTION)
    }

    /// By position among all items.
    pub fn item_values<T: Plain>(&self, name: &str) -> Result<Column<'a, T>, Failure> {
        self.values(name, SCOPE_ITEM)
    }

    /// `body` gets the section and its current value. In prepare and still_valid, before the base
    /// is called.
    pub fn set_section_values<T: Plain>(
        &mut self, name: &str, body: impl FnMut(usize, T) -> T,
    ) -> Result<(), Failure> {
        self.set_values(name, SCOPE_SECTION, body)
    }

    /// The same by position among all items.
    pub fn set_item_values<T: Plain>(
        &mut self, name: &str, body: impl FnMut(usize, T) -> T,
    ) -> Result<(), Failure> {
        self.set_values(name, SCOPE_ITEM, body)
    }

    pub fn list_count(&self, list: &str) -> Result<usize, Failure> {
        let mut count = 0;
        self.ask(list, |raw, name| unsafe { ((*raw).get_list)(raw, name, &mut count) })?;
        Ok(count as usize)
    }

    /// A copy. A choice is an index into the base's choices: use an enum with the same.
    pub fn list_column<T: Value>(&self, list: &str, column: &str) -> Result<Vec<T>, Failure> {
        let count = self.list_count(list)?;
        let mut values = tessera_column { data: std::ptr::null(), stride: 0 };
        let (raw, c_list, name) = (self.raw, named(list)?, named(column)?);
        let status = unsafe {
            ((*raw).get_column)(raw, c_list.as_ptr(), name.as_ptr(), T::TYPE, &mut values)
        };
        taken(status, &in_list(list, column))?;
        Ok(Column::<T>::new(values, count, false).iter().collect())
    }

    /// New records have initial values. In prepare and still_valid, before the base is called.
    pub fn set_list(&mut self, list: &str, count: usize) -> Result<(), Failure> {
        self.ask(list, |raw, name| unsafe { ((*raw).set_list)(raw, name, count as u64) })
    }

    /// After [`Base::set_list`]: `body` gets the record's index and value.
    pub fn set_list_column<T: Value>(
        &mut self, list: &str, column: &str, body: impl FnMut(usize, T) -> T,
    ) -> Result<(), Failure> {
        let count = self.list_count(list)?;
        let mut data = std::ptr::null_mut();
        let (raw, c_list, name) = (self.raw, named(list)?, named(column)?);
        let status = unsafe {
            ((*raw).set_column)(raw, c_list.as_ptr(), name.as_ptr(), T::TYPE, &mut data)
        };
        if status == ERROR_WRONG_STATE {
            let message = format!(
                "{} of the base was set without the list; call set_list first, in prepare or \
                 still_valid",
                in_list(list, column)
            );
            return Err(Failure::with(status, message));
        }
        taken(status, &in_list(list, column))?;
        unsafe { replace(data, count, body) };
        Ok(())
    }

    /// `base.set_function("breaksBefore", |section: u32, item: u32| item % 4 == 0)`. In prepare.
    pub fn set_function<As, F: Givable<As>>(
        &mut self, name: &str, function: F,
    ) -> Result<(), Failure> {
        let signature = named(&F::text())?;
        let shared = self.input.shared;
        // Boxed for a stable address.
        let given = Box::into_raw(Box::new(Given { host: shared.host, body: function }));
        shared.given.borrow_mut().push(Box::new(Kept(given)));
        let function = tessera_function { call: Some(F::address()), context: given.cast() };
        self.ask(name, |raw, name| unsafe {
            ((*raw).set_function)(raw, name, signature.as_ptr(), function)
        })
    }

    fn values<T: Plain>(&self, name: &str, scope: u32) -> Result<Column<'a, T>, Failure> {
        let mut column = tessera_column { data: std::ptr::null(), stride: 0 };
        self.ask(name, |raw, name| unsafe {
            ((*raw).get_values)(raw, name, scope, T::TYPE, &mut column)
        })?;
        Ok(Column::new(column, self.input.count_in(scope), false))
    }

    fn set_values<T: Plain>(
        &mut self, name: &str, scope: u32, body: impl FnMut(usize, T) -> T,
    ) -> Result<(), Failure> {
        let mut data = std::ptr::null_mut();
        self.ask(name, |raw, name| unsafe {
            ((*raw).set_values)(raw, name, scope, T::TYPE, &mut data)
        })?;
        unsafe { replace(data, self.input.count_in(scope), body) };
        Ok(())
    }
}

/// # Safety
/// Null, or the address of `count` values of this type.
unsafe fn replace<T: Value>(data: *mut c_void, count: usize, mut body: impl FnMut(usize, T) -> T) {
    if data.is_null() {
        return;
    }
    // By pointer: `body` may have a column of the same values.
    let data = data.cast::<T::Stored>();
    for index in 0..count {
        unsafe {
            let value = data.add(index);
            value.write(body(index, T::load(value.read())).store());
        }
    }
}

fn in_list(list: &str, column: &str) -> String { format!("the column {column} of {list}") }

struct Kept<Body>(*mut Given<Body>);

unsafe impl<Body: Send> Send for Kept<Body> {}

impl<Body> Drop for Kept<Body> {
    fn drop(&mut self) { drop(unsafe { Box::from_raw(self.0) }); }
}

fn named(name: &str) -> Result<CString, Failure> {
    CString::new(name).map_err(|_| {
        Failure::failed(format!("the name {name:?} holds a zero byte; use one that the base declares"))
    })
}

/// The base has reported why it failed.
fn done(status: tessera_status) -> Result<(), Failure> {
    match status {
        OK => Ok(()),
        _ => Err(Failure::told(status)),
    }
}

fn taken(status: tessera_status, name: &str) -> Result<(), Failure> {
    let message = match status {
        OK => return Ok(()),
        ERROR_NOT_FOUND | ERROR_INVALID_VALUE => {
            format!("the base does not have {name} as this type; use a name and a type that it declares")
        }
        ERROR_WRONG_STATE => format!(
            "{name} of the base was set outside of prepare and still_valid; set it in one of them"
        ),
        _ => return Err(Failure::told(status)),
    };
    Err(Failure::with(status, message))
}

// ---------------------------------------------------------------- the border
// No panic leaves these functions, which the host calls.

fn report(host: *const tessera_host, status: tessera_status, message: &str) {
    if message.is_empty() {
        return;
    }
    let message: String = message.chars().filter(|character| *character != '\0').collect();
    if let Ok(message) = CString::new(message) {
        unsafe { ((*host).report)(host, status, message.as_ptr()) };
    }
}

fn guarded(
    host: *const tessera_host, body: impl FnOnce() -> Result<(), Failure>,
) -> tessera_status {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return OK,
        Ok(Err(failure)) => failure,
        Err(thrown) => {
            let text = thrown
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| thrown.downcast_ref::<&str>().copied())
                .unwrap_or("no reason given");
            let failure = Failure::failed(format!(
                "the engine panicked: {text}; this is a fault of the engine, tell its author"
            ));
            // The payload may panic again when it is dropped.
            if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(thrown))) {
                std::mem::forget(again);
            }
            failure
        }
    };
    report(host, failure.status, &failure.message);
    if failure.status == OK {
        ERROR_FAILED
    } else {
        failure.status
    }
}

struct Bound<L> {
    shared: Shared,
    layout: RefCell<L>,
}

impl<L: Layout> Bound<L> {
    /// # Safety
    /// `layout` is from create and not yet destroyed.
    unsafe fn call(
        layout: opaque, body: impl FnOnce(&mut L, &Shared) -> Result<(), Failure>,
    ) -> tessera_status {
        let Some(bound) = (unsafe { layout.cast::<Bound<L>>().as_ref() }) else {
            return ERROR_WRONG_STATE;
        };
        guarded(bound.shared.host, || {
            let mut layout = bound.layout.try_borrow_mut().map_err(|_| {
                let message = "the layout was called while it was at work; ask it afterwards";
                Failure::with(ERROR_WRONG_STATE, message)
            })?;
            body(&mut layout, &bound.shared)
        })
    }

    /// # Safety
    /// As call; the input is valid during it.
    unsafe fn call_with(
        layout: opaque, input: *const tessera_input,
        body: impl FnOnce(&mut L, &Input) -> Result<(), Failure>,
    ) -> tessera_status {
        unsafe { Self::call(layout, |layout, shared| body(layout, &Input { raw: &*input, shared })) }
    }
}

#[doc(hidden)]
pub mod border {
    use super::*;

    /// The description is the first field: the host's pointer to it is a pointer to the record.
    #[repr(C)]
    struct Record {
        abilities: Abilities,
        shape: Shape,
    }

    /// Never freed.
    #[derive(Clone, Copy)]
    pub struct Described(*const tessera_engine);

    unsafe impl Send for Described {}
    unsafe impl Sync for Described {}

    #[repr(C)]
    pub struct Abilities {
        engine: tessera_engine,
        snapping: Option<tessera_snapping>,
        reordering: Option<tessera_reordering>,
        sizing: Option<tessera_sizing>,
        updates: Option<tessera_updates>,
    }

    impl Abilities {
        pub fn none() -> Self {
            // Null and 0 are valid for every field of a description.
            let engine = unsafe { std::mem::zeroed() };
            Abilities { engine, snapping: None, reordering: None, sizing: None, updates: None }
        }
    }

    /// Finds which traits a layout implements: of two methods of one name, the compiler takes the
    /// method that needs no further reference, if its bound holds.
    pub struct Probe<L>(PhantomData<L>);

    impl<L> Probe<L> {
        pub const fn new() -> Self { Probe(PhantomData) }
    }

    macro_rules! ability {
        ($trait:ident, $has:ident, $lacks:ident, $method:ident, |$abilities:ident, $l:ident| $fill:expr) => {
            pub trait $has {
                fn $method(&self, abilities: &mut Abilities);
            }
            impl<$l: $trait> $has for Probe<$l> {
                fn $method(&self, $abilities: &mut Abilities) { $fill }
            }
            pub trait $lacks {
                fn $method(&self, _: &mut Abilities) {}
            }
            impl<L> $lacks for &Probe<L> {}
        };
    }
    ability!(Preparing, Prepares, PreparesNot, preparing, |abilities, L| {
        abilities.engine.prepare = Some(prepare::<L>)
    });
    ability!(Adjusting, Adjusts, AdjustsNot, adjusting, |abilities, L| {
        abilities.engine.adjust = Some(adjust::<L>)
    });
    ability!(Lazy, IsLazy, IsNotLazy, lazy, |abilities, L| {
        abilities.engine.elements_in_rect = Some(elements_in_rect::<L>);
        abilities.engine.element = Some(element::<L>);
    });
    ability!(Reusable, Reuses, ReusesNot, reusable, |abilities, L| {
        abilities.engine.still_valid = Some(still_valid::<L>)
    });
    ability!(Snapping, Snaps, SnapsNot, snapping, |abilities, L| {
        abilities.snapping = Some(tessera_snapping {
            struct_size: size_of::<tessera_snapping>() as u32,
            reserved: 0,
            resting_offset: resting_offset::<L>,
        })
    });
    ability!(Reordering, Reorders, ReordersNot, reordering, |abilities, L| {
        abilities.reordering = Some(tessera_reordering {
            struct_size: size_of::<tessera_reordering>() as u32,
            reserved: 0,
            target: target::<L>,
        })
    });
    ability!(Sizing, Measures, MeasuresNot, sizing, |abilities, L| {
        abilities.sizing = Some(tessera_sizing {
            struct_size: size_of::<tessera_sizing>() as u32,
            measured_count: L::MEASURED.len() as u32,
            measured: permanent(L::MEASURED.iter().map(measured).collect()).as_ptr(),
            estimates: estimates::<L>, proposals: proposals::<L>,
        })
    });
    ability!(Updating, Updates, UpdatesNot, updating, |abilities, L| {
        abilities.updates = Some(tessera_updates {
            struct_size: size_of::<tessera_updates>() as u32, reserved: 0, begin: Some(begin::<L>),
            initial_attributes: Some(initial_attributes::<L>),
            final_attributes: Some(final_attributes::<L>), end: Some(end::<L>),
        })
    });

    fn measured(of: &Measured) -> tessera_measured {
        let kind = of.kind.map_or(std::ptr::null(), permanent_text);
        tessera_measured { value: permanent_text(of.value), kind }
    }

    unsafe extern "C" fn create<L: Layout>(
        engine: *const tessera_engine, host: *const tessera_host, made: *mut opaque,
    ) -> tessera_status {
        guarded(host, || {
            let record = unsafe { &*engine.cast::<Record>() };
            let layout = RefCell::new(L::new(&mut Declare::new(false)));
            let shared = Shared { host, shape: &record.shape, given: RefCell::default() };
            let bound = Box::new(Bound { shared, layout });
            unsafe { *made = Box::into_raw(bound).cast() };
            Ok(())
        })
    }

    unsafe extern "C" fn destroy<L: Layout>(layout: opaque) {
        if layout.is_null() {
            return;
        }
        let bound = unsafe { Box::from_raw(layout.cast::<Bound<L>>()) };
        let host = bound.shared.host;
        guarded(host, || {
            drop(bound);
            Ok(())
        });
    }

    macro_rules! entry {
        (
            $name:ident<$trait:ident>($($argument:ident: $type:ty),*),
            |$layout:ident, $input:ident| $body:expr
        ) => {
            unsafe extern "C" fn $name<L: $trait>(
                layout: opaque, input: *const tessera_input $(, $argument: $type)*
            ) -> tessera_status {
                unsafe { Bound::<L>::call_with(layout, input, |$layout, $input| $body) }
            }
        };
    }
    entry!(prepare<Preparing>(output: *mut tessera_output), |layout, input| {
        let before = input.shared.given.take();
        let result = layout.prepare(input, &mut Output { raw: output, shared: input.shared });
        drop(before);
        result
    });
    entry!(adjust<Adjusting>(rect: Rect, output: *mut tessera_output), |layout, input| {
        layout.adjust(input, rect, &mut Output { raw: output, shared: input.shared })
    });
    entry!(elements_in_rect<Lazy>(rect: Rect, output: *mut tessera_output), |layout, input| {
        layout.elements_in_rect(input, rect, &mut Output { raw: output, shared: input.shared })
    });
    entry!(
        element<Lazy>(run: *const tessera_run, output: *mut tessera_output),
        |layout, input| {
            let mut output = Output { raw: output, shared: input.shared };
            layout.element(input, Run::new(&*run), &mut output)
        }
    );
    entry!(resting_offset<Snapping>(velocity: Point, resting: *mut Point), |layout, input| {
        *resting = layout.resting_offset(input, velocity, *resting)?;
        Ok(())
    });
    entry!(
        target<Reordering>(
            section: u32, item: u64, at: Point, to_section: *mut u32, to_item: *mut u64
        ),
        |layout, input| {
            let dragged = Place { section: section as usize, item: item as usize };
            let proposed = Place { section: *to_section as usize, item: *to_item as usize };
            let found = layout.target(input, dragged, at, proposed)?;
            *to_section = u32::try_from(found.section)?;
            *to_item = found.item as u64;
            Ok(())
        }
    );
    macro_rules! sizes {
        ($($name:ident),+) => {$(
            entry!(
                $name<Sizing>(run: *const tessera_run, sizes: *mut Size, count: *mut u64),
                |layout, input| {
                    let run = Run::new(&*run);
                    let sizes = std::slice::from_raw_parts_mut(sizes, run.count);
                    *count = layout.$name(input, run, sizes)? as u64;
                    Ok(())
                }
            );
        )+};
    }
    sizes!(estimates, proposals);
    entry!(begin<Updating>(updates: *const tessera_update, count: u64), |layout, input| {
        let told = match count {
            0 => &[],
            _ => std::slice::from_raw_parts(updates, count as usize),
        };
        let updates: Vec<Update> = told.iter().filter_map(Update::new).collect();
        layout.begin(input, &updates)
    });
    entry!(initial_attributes<Updating>(output: *mut tessera_output), |layout, input| {
        layout.initial_attributes(input, &mut Output { raw: output, shared: input.shared })
    });
    entry!(final_attributes<Updating>(output: *mut tessera_output), |layout, input| {
        layout.final_attributes(input, &mut Output { raw: output, shared: input.shared })
    });

    unsafe extern "C" fn still_valid<L: Reusable>(
        layout: opaque, input: *const tessera_input,
    ) -> i32 {
        let mut answer = 0;
        unsafe {
            Bound::<L>::call_with(layout, input, |layout, input| {
                answer = layout.still_valid(input) as i32;
                Ok(())
            });
        }
        answer
    }

    unsafe extern "C" fn end<L: Updating>(layout: opaque) {
        unsafe {
            Bound::<L>::call(layout, |layout, _| {
                layout.end();
                Ok(())
            });
        }
    }

    unsafe extern "C" fn extension(engine: *const tessera_engine, id: text) -> *const c_void {
        fn table<T>(of: &Option<T>) -> *const c_void {
            of.as_ref().map_or(std::ptr::null(), |table| std::ptr::from_ref(table).cast())
        }
        let (abilities, id) =
            unsafe { (&(*engine.cast::<Record>()).abilities, CStr::from_ptr(id)) };
        match id {
            _ if id == SNAPPING => table(&abilities.snapping),
            _ if id == REORDERING => table(&abilities.reordering),
            _ if id == SIZING => table(&abilities.sizing),
            _ if id == UPDATES => table(&abilities.updates),
            _ => std::ptr::null(),
        }
    }

    /// Never freed.
    pub fn describe<L: Layout>(mut abilities: Abilities) -> Described {
        let mut declared = Declare::<L>::new(true);
        drop(L::new(&mut declared));
        let shape = Shape {
            parameters: declared.parameters.iter().map(|one| one.type_).collect(),
            values: declared.values.iter().map(|one| (one.type_, one.scope)).collect(),
            lists: (declared.lists.iter())
                .map(|list| list.columns.iter().map(|column| column.type_).collect())
                .collect(),
            signatures: std::mem::take(&mut declared.signatures),
            attributes: declared.attributes.iter().map(|attribute| attribute.type_).collect(),
        };
        declared.functions.append(&mut declared.published);
        let optional = |text: Option<&str>| text.map_or(std::ptr::null(), permanent_text);
        let who = L::IDENTITY;
        let engine = &mut abilities.engine;
        let is_lazy = if engine.element.is_some() { TRAIT_LAZY } else { 0 };
        let follows = if engine.adjust.is_some() { TRAIT_VIEWPORT } else { 0 };
        let of_list = |list: DeclaredList| tessera_list_declaration {
            name: list.name, help: list.help, column_count: list.columns.len() as u32,
            column_size: size_of::<tessera_parameter>() as u32,
            columns: permanent(list.columns).as_ptr(),
        };
        let lists: Vec<_> = declared.lists.into_iter().map(of_list).collect();
        *engine = tessera_engine {
            struct_size: size_of::<tessera_engine>() as u32,
            traits: L::TRAITS.0 | is_lazy | follows,
            laws: L::LAWS.0,
            columns: L::COLUMNS.0,
            adjusted_columns: L::ADJUSTED_COLUMNS.0,
            id: permanent_text(who.id),
            name: permanent_text(who.name),
            version: permanent_text(who.version),
            author: permanent_text(who.author),
            license: permanent_text(who.license),
            summary: permanent_text(who.summary),
            base: optional(L::BASE.map(|base| base.id)),
            base_version: optional(L::BASE.and_then(|base| base.version)),
            create: Some(create::<L>),
            destroy: Some(destroy::<L>),
            extension: Some(extension),
            ..*engine
        };
        fn size_of_each<T>(_: &[T]) -> u32 { size_of::<T>() as u32 }
        macro_rules! give {
            ($($list:expr => $pointer:ident, $count:ident, $size:ident;)+) => {$(
                let list = permanent($list);
                (engine.$pointer, engine.$count) = (list.as_ptr(), list.len() as u32);
                engine.$size = size_of_each(list);
            )+};
        }
        give! {
            declared.parameters => parameters, parameter_count, parameter_size;
            declared.values => values, value_count, value_size;
            lists => lists, list_count, list_size;
            declared.functions => functions, function_count, function_size;
            declared.attributes => attributes, attribute_count, attribute_size;
            declared.kinds => kinds, kind_count, kind_size;
            declared.settings => defaults, default_count, default_size;
        }
        // The host's pointer must come from the whole record's, to find it again.
        let record = Box::into_raw(Box::new(Record { abilities, shape }));
        Described(record.cast_const().cast())
    }

    /// # Safety
    /// The host passed both pointers to the exported function.
    pub unsafe fn register(
        host: *const tessera_host, registry: *mut tessera_registry, engines: &[fn() -> Described],
    ) -> tessera_status {
        guarded(host, || {
            let (major, minor) = unsafe { ((*host).abi_major, (*host).abi_minor) };
            // Any host states the version that it serves this library.
            if major != ABI_MAJOR || !(NEEDED_MINOR..).contains(&minor) {
                return Err(Failure::unsupported(format!(
                    "the host serves this library as ABI {major}.{minor}, but it needs \
                     {ABI_MAJOR}.{NEEDED_MINOR} or a later {ABI_MAJOR}.x; update the host"
                )));
            }
            for describe in engines {
                // The host itself reports why a description is invalid.
                done(unsafe { ((*registry).add_engine)(registry, describe().0) })?;
            }
            Ok(())
        })
    }

    #[repr(C, align(4))]
    pub struct Note {
        sizes: [u32; 3],
        name: [u8; 8],
        data: [u32; 3],
    }

    impl Note {
        pub const fn new() -> Note {
            let engine_size = size_of::<tessera_engine>() as u32;
            Note {
                sizes: [8, 12, 1],
                name: *b"Tessera\0",
                data: [ABI_MAJOR, NEEDED_MINOR, engine_size],
            }
        }
    }
}

/// Defines a library of engines: its note and its exported function. Use it once in a library,
/// outside any function: `tessera::export!(Spiral, Tower);`
macro_rules! export {
    ($($engine:ty),+ $(,)?) => {
        #[allow(unsafe_code)]
        #[used]
        #[link_section = ".note.tessera"]
        static TESSERA_NOTE: $crate::tessera::border::Note = $crate::tessera::border::Note::new();

        #[allow(unsafe_code)]
        #[no_mangle]
        unsafe extern "C" fn tessera_register(
            host: *const $crate::tessera::contract::tessera_host,
            registry: *mut $crate::tessera::contract::tessera_registry,
        ) -> $crate::tessera::contract::tessera_status {
            use $crate::tessera::border::*;
            unsafe {
                register(host, registry, &[$(|| {
                    static DESCRIBED: std::sync::OnceLock<Described> = std::sync::OnceLock::new();
                    *DESCRIBED.get_or_init(|| {
                        let mut abilities = Abilities::none();
                        let probe = &Probe::<$engine>::new();
                        probe.preparing(&mut abilities);
                        probe.adjusting(&mut abilities);
                        probe.lazy(&mut abilities);
                        probe.reusable(&mut abilities);
                        probe.snapping(&mut abilities);
                        probe.reordering(&mut abilities);
                        probe.sizing(&mut abilities);
                        probe.updating(&mut abilities);
                        describe::<$engine>(abilities)
                    })
                }),+])
            }
        }
    };
}
pub(crate) use export;
