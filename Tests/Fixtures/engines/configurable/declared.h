// What the engine declares, as it is configured.

#ifndef CONFIGURABLE_DECLARED_H
#define CONFIGURABLE_DECLARED_H

#include "choices.h"
#include <tessera/tessera.h>

enum {
  ROW_HEIGHT,
#if COLUMNS == 0
  CELL_WIDTH,
#endif
#if COLUMNS_SET
  COLUMN_COUNT,
#endif
#if SPACING
  SPACE,
#endif
#if INSETS >= 1 && INSETS <= 3
  INSET,
#endif
  PARAMETERS
};

#if SPACING == 4
static const char *const densities[] = {"tight", "normal", "loose"};
#endif
#if ATTRIBUTE == 2
static const char *const moods[] = {"calm", "glad"};
#endif

static const tessera_parameter parameters[] = {
    {.name = "rowHeight", .help = "The height of a row.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 40, .minimum.number = 1, .maximum.number = 400},
#if COLUMNS == 0
    {.name = "cellWidth", .help = "The width of a cell.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 70, .minimum.number = 1, .maximum.number = 400},
#endif
#if COLUMNS_SET
    {.name = "columns", .help = "How many cells make a line.", .type = TESSERA_TYPE_INT,
     .initial.integer = COLUMNS, .minimum.integer = MUTATED(takesZeroColumns) ? 0 : 1,
     .maximum.integer = 6},
#endif
#if SPACING == 1
    {.name = "spacing", .help = "The space between cells.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 5, .maximum.number = 12},
#elif SPACING == 2
    {.name = "spacing", .help = "The space between cells.", .unit = "pt", .type = TESSERA_TYPE_SIZE,
     .initial.size = {6, 3}, .maximum.size = {12, 12}},
#elif SPACING == 3
    {.name = "spacing", .help = "The space between cells.", .unit = "pt", .type = TESSERA_TYPE_POINT,
     .initial.point = {4, 7}, .maximum.point = {12, 12}},
#elif SPACING == 4
    {.name = "spacing", .help = "How close cells lie.", .choices = densities,
     .choice_count = COUNT(densities), .type = TESSERA_TYPE_ENUM, .initial.choice = 1},
#elif SPACING == 5
    {.name = "spacing", .help = "The space between cells.", .unit = "pt", .type = TESSERA_TYPE_INT,
     .initial.integer = 3, .maximum.integer = 12},
#endif
#if INSETS == 1
    {.name = "insets", .help = "The space around a section.", .unit = "pt", .type = TESSERA_TYPE_INSETS,
     .initial.insets = {5, 10, 7, 12}, .maximum.insets = {24, 24, 24, 24}},
#elif INSETS == 2
    {.name = "insets", .help = "Where a section begins.", .unit = "pt", .type = TESSERA_TYPE_RECT,
     .initial.rect = {8, 6, 0, 0}, .maximum.rect = {24, 24, 24, 24}},
#elif INSETS == 3
    {.name = "insets", .help = "Whether there is space around a section.", .type = TESSERA_TYPE_BOOL,
     .initial.boolean = 1},
#endif
};

enum {
#if HEIGHTS
  HEIGHT,
#endif
#if COLUMNS == 0
  WIDTH,
#endif
  VALUES
};

#if HEIGHTS || COLUMNS == 0
static const tessera_value_declaration values[] = {
#if HEIGHTS
    {.name = "height", .help = "The height of a cell.", .fallback = "rowHeight",
     .type = TESSERA_TYPE_NUMBER, .scope = HEIGHTS == 1 ? TESSERA_SCOPE_ITEM : TESSERA_SCOPE_SECTION},
#endif
#if COLUMNS == 0
    {.name = "width", .help = "The width of a cell.", .fallback = "cellWidth",
     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
#endif
};
#endif

#if DELEGATE
static const tessera_function_declaration functions[] = {
    {.name = "weight", .signature = "u8(u32,u64)", .help = "How much taller an item is."},
};
#endif

#if ATTRIBUTE
static const tessera_attribute attributes[] = {
    {.name = "tint", .help = "How a cell is tinted.",
#if ATTRIBUTE == 2
     .choices = moods, .choice_count = COUNT(moods), .interpolation = TESSERA_INTERPOLATION_STEP,
#endif
     .type = ATTRIBUTE == 1   ? TESSERA_TYPE_NUMBER
             : ATTRIBUTE == 2 ? TESSERA_TYPE_ENUM
             : ATTRIBUTE == 3 ? TESSERA_TYPE_POINT
                              : TESSERA_TYPE_INT,
     .when = ADJUST ? TESSERA_WHEN_ADJUSTED : TESSERA_WHEN_PREPARED},
};
#endif

enum {
#if HEADER
  HEADER_KIND,
#endif
#if BOARD
  BOARD_KIND,
#endif
  KINDS
};

#if HEADER || BOARD
static const tessera_kind kinds[] = {
#if HEADER
    {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY},
#endif
#if BOARD
    {.name = "board", .category = TESSERA_CATEGORY_DECORATION},
#endif
};
#endif

#endif
