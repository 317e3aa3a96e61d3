// tessera.updates/1, an ability of an engine: it decides how elements appear and disappear in a
// batch update.
//
// The host fetches it with engine->extension(engine, TESSERA_EXT_UPDATES). For one batch it calls,
// in this order: prepare with the old data (if needed), begin, prepare with the new data,
// initial_attributes, final_attributes, end. Every begin is followed by an end, even if a call
// between them fails. In a chain the base is called first, and each engine sees its base's output.

#ifndef TESSERA_EXT_UPDATES_H
#define TESSERA_EXT_UPDATES_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_EXT_UPDATES "tessera.updates/1"

typedef int32_t tessera_operation;
#define TESSERA_OPERATION_INSERT_ITEM 1
#define TESSERA_OPERATION_DELETE_ITEM 2
#define TESSERA_OPERATION_MOVE_ITEM 3
#define TESSERA_OPERATION_RELOAD_ITEM 4
#define TESSERA_OPERATION_INSERT_SECTION 5
#define TESSERA_OPERATION_DELETE_SECTION 6
#define TESSERA_OPERATION_MOVE_SECTION 7
#define TESSERA_OPERATION_RELOAD_SECTION 8

// One change of the data. `from` is an old index, `to` a new one. Fields that an operation does not
// use are 0, as are the items of section operations.
typedef struct tessera_update {
  tessera_operation operation;
  uint32_t from_section;
  uint64_t from_item;
  uint32_t to_section;
  uint32_t reserved;
  uint64_t to_item;
} tessera_update;

typedef struct TESSERA_SENDABLE tessera_updates {
  uint32_t struct_size; // exactly the size of this struct
  uint32_t reserved;
  // The data are about to change. `input` holds the old data. Owner: the host owns `updates`; copy
  // what you need later. Errors: any; the host then rejects the batch. [prepared; layout]
  tessera_status (*TESSERA_NULLABLE begin)(tessera_layout *TESSERA_NULLABLE layout,
                                           const tessera_input *input,
                                           const tessera_update *updates, uint64_t count);
  // Where appearing elements start. `output` holds the final elements with alpha 0. All columns
  // exist, and the engine may change any of them. `input` holds the new data. The engine may call
  // only run_count, get and content_size. Errors: any. [prepared; layout]
  tessera_status (*TESSERA_NULLABLE initial_attributes)(tessera_layout *TESSERA_NULLABLE layout,
                                                        const tessera_input *input,
                                                        tessera_output *output);
  // Where disappearing elements end. `output` holds the old elements, with old indices and alpha 0.
  // As initial_attributes.
  tessera_status (*TESSERA_NULLABLE final_attributes)(tessera_layout *TESSERA_NULLABLE layout,
                                                      const tessera_input *input,
                                                      tessera_output *output);
  // The batch is over. [prepared; layout]
  void (*TESSERA_NULLABLE end)(tessera_layout *TESSERA_NULLABLE layout);
} tessera_updates;

TESSERA_LAYOUT_IS(tessera_update, 32, to_item, 24);
TESSERA_LAYOUT_IS(tessera_updates, 40, end, 32);

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
