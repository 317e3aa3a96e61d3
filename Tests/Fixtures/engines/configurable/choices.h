// What can be chosen, and the faults that there are: macros for the compiler, all with a default.

#ifndef CONFIGURABLE_CHOICES_H
#define CONFIGURABLE_CHOICES_H

// Cells to a line, 0: as many as fit, each as wide as its item value says.
#ifndef COLUMNS
#define COLUMNS 2
#endif
// Whether `columns` is a parameter, that starts as COLUMNS.
#ifndef COLUMNS_SET
#define COLUMNS_SET 0
#endif
// Heights of rows: 0 one parameter, 1 by item, 2 by section.
#ifndef HEIGHTS
#define HEIGHTS 0
#endif
// Space between cells: 0 none, 1 a number, 2 a size, 3 a point, 4 one of three choices, 5 an int.
#ifndef SPACING
#define SPACING 0
#endif
// Space around a section's cells: 0 none, 1 insets, 2 a rect's origin, 3 a bool, 4 layout margins,
// 5 the safe area.
#ifndef INSETS
#define INSETS 0
#endif
// A header: 0 none, 1 for each section, 2 for those with items.
#ifndef HEADER
#define HEADER 0
#endif
// Whether a board lies behind each section.
#ifndef BOARD
#define BOARD 0
#endif
// An attribute: 0 none, 1 a number, 2 an enum, 3 a point, 4 an int.
#ifndef ATTRIBUTE
#define ATTRIBUTE 0
#endif
// Built-in columns, as TESSERA_COLUMN_….
#ifndef WRITTEN
#define WRITTEN 0
#endif
#ifndef LAZY
#define LAZY 0
#endif
// What adjust does: 0 there is none, 1 columns by the viewport, 2 headers stay in sight as well.
#ifndef ADJUST
#define ADJUST 0
#endif
#ifndef MIRRORS
#define MIRRORS 0
#endif
#ifndef ALIGNED
#define ALIGNED 0
#endif
#ifndef INCREMENTAL
#define INCREMENTAL 0
#endif
#ifndef UPDATES
#define UPDATES 0
#endif
#ifndef SNAPPING
#define SNAPPING 0
#endif
// Whether a delegate function makes some cells taller.
#ifndef DELEGATE
#define DELEGATE 0
#endif
// Whether still_valid is there.
#ifndef KEEPS
#define KEEPS 0
#endif
#ifndef MUTATION
#define MUTATION none
#endif

// By kind, as the generator lists them.
enum {
  none,
  offInElement, offInRect, offWhenKept, offInSecondPrepare, offInAdjust, offBeyondContent,
  dropsLast, dropsFirstOfSection, dropsBeyondThousand, dropsInRect, dropsHeaderInRect,
  dropsInElement,
  twiceCell, twiceHeader, twiceInRect,
  staleCounts, staleWidth, staleHeight, staleSpacing, staleValues, staleScale, staleInsets,
  staleAnswers, staleContent,
  wrongSection, wrongKind, wrongCategory, wrongItem, wrongInElement,
  validAlways, validByWidth, validByScale, keepsForParameters, keepsForBounds, keepsLine,
  keepsForValues,
  nanFrame, nanWhenNarrow, nanAlpha, nanAttribute, nanTransform, nanContent, nanInitial,
  negativeWhenNarrow, negativeHeight, negativeContent,
  smallByLine, smallByInset, smallByHeader, smallAcross,
  byAddress, byCounter, byClock,
  sharedCells, sharedWidth, sharedParameters,
  takesZeroColumns, refusesLimit, refusesNameless, dropsAtLimit,
  mirrorsItself, shiftsMirror, mirrorsSpacing,
  unroundedAcross, unroundedDown, roundsToHalves, roundsHeadersNot,
};
#define MUTATED(name) (MUTATION == (name))

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define DRESSED (WRITTEN != 0 || ATTRIBUTE != 0)

#endif
