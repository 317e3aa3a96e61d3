"""Layouts in Spark: per row, per group of rows, to Parquet, and in SQL.

    import tessera_layout as tessera
    laid_out = tessera.spark.layouts(albums, "flow", values={"size": "sizes"}, bounds=(1280, 800))
    laid_out.select("id", "frame", "content_size", "error", "error_code")
    tessera.spark.write(
        albums, "s3://bucket/frames", "flow", values={"size": "sizes"}, bounds=(1280, 800))
    tessera.spark.register(spark)

The driver checks names, types and parameters. Executors' Python needs the package and pyarrow.
"""

from __future__ import annotations

import uuid
from dataclasses import make_dataclass
from typing import (
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

from . import _values
from ._bulk import (
    COLUMNS,
    DEFAULT_COLUMNS,
    ENDING,
    SIZE,
    Function,
    Process,
    Side,
    Work,
    arrow_type,
    kept_process,
    names_of,
)
from ._native import CannotWriteError, InvalidError

DataFrame = TypeVar("DataFrame")

__all__ = ["groups", "layouts", "register", "write"]

#: Item index in a group, without a data column.
_COUNT = "the number of items"


def layouts(
    data: DataFrame,
    engine: str,
    *,
    values: Optional[Mapping[str, Any]] = None,
    items: Optional[str] = None,
    sections: Optional[str] = None,
    bounds: Tuple[Side, Side] = (375.0, 667.0),
    keep: Optional[Sequence[str]] = None,
    columns: Sequence[str] = DEFAULT_COLUMNS,
    host: Optional[Mapping[str, Any]] = None,
    parameters: Optional[Mapping[str, Any]] = None,
    element_limit: Optional[int] = None,
    max_errors: Optional[int] = None,
    separate: Optional[str] = None,
    float32: bool = False,
    **settings: Any,
) -> DataFrame:
    """Lays out the collection of each row, with mapInArrow.

    The result has the kept columns, an array for each of `columns` with an entry per element,
    `content_size`, and `error` and `error_code`, null if the row has a layout. An engine's
    crash, hang or breach of contract fails only its row.

    Columns are named as in DataFrame.select: case-insensitive, `album.sizes` for a field, backticks
    around a name with a dot.

    :param values: Item values: names of array columns with an entry per item, or a number or tuple
    for
        all. Struct fields are found by name.
    :param items: The column of item counts, for rows without array columns.
    :param sections: The array column of section lengths; by default, a row is one section.
    :param bounds: The viewport's width and height: numbers, or column names.
    :param keep: Data columns to keep; all by default.
    :param columns: Element columns: category, kind, section, item, frame, alpha, z_index, hidden,
    and
        engine attributes. If empty, the result has only content sizes.
    :param host: Arguments of tessera.Host on executors, with the folders as "folders". By default,
    an
        album has a second, a worker 512 MB, and crashing engines are not refused.
    :param parameters: Engine parameters that clash with arguments here.
    :param element_limit: Elements per layout; 10 million by default.
    :param max_errors: More failed rows fail the task, and so the job.
    :param separate: A column, such as the tenant: rows with different values never share a worker.
    :param float32: Use 32 bits for frames and other numbers of elements.
    :param settings: Engine parameters, in either spelling, and arguments of Layout.set.
    """
    settings = {**settings, "parameters": parameters}
    work = Work(
        engine,
        values=values,
        items=items,
        sections=sections,
        bounds=bounds,
        columns=columns,
        host=host,
        element_limit=element_limit,
        max_errors=max_errors,
        separate=separate,
        float32=float32,
        settings=settings,
    )
    input_, kept = _input(data, work, keep)
    count = len(kept)

    def lay_out(batches: Iterable[Any]) -> Iterator[Any]:
        for batch, first, last, arrays in _results(work, count, batches):
            yield _record(
                [
                    *(batch.column(place).slice(first, last - first) for place in range(count)),
                    *arrays,
                ]
            )

    return input_.mapInArrow(lay_out, _schema(work, kept))  # type: ignore[no-any-return]


def groups(
    data: DataFrame,
    by: Union[str, Sequence[str]],
    engine: str,
    *,
    order_by: Union[None, str, Sequence[str]] = None,
    values: Optional[Mapping[str, Any]] = None,
    bounds: Tuple[Side, Side] = (375.0, 667.0),
    keep: Optional[Sequence[str]] = None,
    columns: Sequence[str] = DEFAULT_COLUMNS,
    host: Optional[Mapping[str, Any]] = None,
    parameters: Optional[Mapping[str, Any]] = None,
    element_limit: Optional[int] = None,
    float32: bool = False,
    **settings: Any,
) -> DataFrame:
    """Lays out each group of rows, one item per row, with applyInArrow of Spark 4.

    The result has a row per element, with the kept columns, `columns`, `content_size`, `error`
    and `error_code`. Kept columns are the item's; headers, footers and decorations have only
    those of `by`. A failed group has one row, with the error and the columns of `by`. Many
    small groups are faster as rows: use collect_list and layouts.

    :param by: The grouping columns.
    :param order_by: Columns that order a group's items; by default the order is undefined.
    :param values: Item values: column names, or a number or tuple for all.
    :param bounds: The viewport's width and height: numbers, or columns, read from a group's first
    row.

    Other arguments are as for layouts.
    """
    keys = [by] if isinstance(by, str) else names_of(by, "by")
    order = (
        [order_by]
        if isinstance(order_by, str)
        else names_of([] if order_by is None else order_by, "order_by")
    )
    # Identify elements.
    columns = names_of(columns, "columns")
    own = [*columns, *(name for name in ("category", "item") if name not in columns)]
    work = Work(
        engine,
        values=values,
        bounds=bounds,
        columns=own,
        host=host,
        element_limit=element_limit,
        float32=float32,
        is_grouped=True,
        settings={**settings, "parameters": parameters},
    )
    if keep is not None:
        keep = keys + [name for name in names_of(keep, "keep") if name not in keys]
    shown = [
        (name, kind) for name, kind in work.fields() if name in columns or name in dict(ENDING)
    ]
    input_, kept = _input(data, work, keep, keys + order, shown)
    names = [
        f"c{place}" for place in range(len(work.needed), len(work.needed) + len(keys) + len(order))
    ]
    key_names, order_names = names[: len(keys)], names[len(keys) :]
    is_key = _places(data, keys, kept)
    work.items = _COUNT
    count, id_, titles = len(kept), uuid.uuid4().hex, [name for name, _ in [*kept, *shown]]

    def lay_out(table: Any) -> Any:
        with kept_process(id_, work) as process:
            return _group(work, process, table, order_names, is_key, count, titles)

    grouped = input_.groupBy(*key_names)
    if not hasattr(grouped, "applyInArrow"):
        raise InvalidError(
            "this Spark has no applyInArrow; use Spark 4, or collect the groups and use layouts"
        )
    return grouped.applyInArrow(lay_out, _schema(work, kept, shown))  # type: ignore[no-any-return]


def write(
    data: Any,
    path: str,
    engine: str,
    *,
    mode: str = "error",
    compression: str = "snappy",
    **arguments: Any,
) -> Dict[str, Any]:
    """Lays out the collection of each row, and writes Parquet: one file per partition, from the
    executors' Python. Frames bypass the JVM, so this takes a third of the time of
    layouts(…).write.

    The path is a folder on a shared file system, or a URI for pyarrow, such as
    s3://bucket/folder. Files appear in it when all are complete.

    :param mode: "error" if the folder has files, "overwrite" to replace them, or "append".
    :param compression: As in pyarrow.parquet: "snappy", "zstd", "none".
    :param arguments: As for layouts.
    :returns: Rows, and failed rows by code: {"rows": 9, "errors": {"engineRefused": 1}, "files": 2}
    """
    if mode not in ("error", "overwrite", "append"):
        raise InvalidError(f'mode is {_values.shown(mode)}; give "error", "overwrite" or "append"')
    keep = arguments.pop("keep", None)
    taken = {
        name: arguments.pop(name)
        for name in (
            "values",
            "items",
            "sections",
            "bounds",
            "columns",
            "host",
            "element_limit",
            "max_errors",
            "separate",
            "float32",
        )
        if name in arguments
    }
    work = Work(
        engine, settings={"parameters": arguments.pop("parameters", None), **arguments}, **taken
    )
    input_, kept = _input(data, work, keep)
    names = [name for name, _ in kept] + [name for name, _ in work.fields()]
    system, folder = _folder(path)
    from pyarrow import fs  # type: ignore[import-untyped, unused-ignore]

    existing = (
        []
        if mode == "append"
        else [
            one.path for one in system.get_file_info(fs.FileSelector(folder, allow_not_found=True))
        ]
    )
    if existing and mode == "error":
        raise InvalidError(
            f'{path} has files; give another folder, mode="overwrite" or mode="append"'
        )
    job = uuid.uuid4().hex
    unfinished = f"{folder}/_unfinished-{job}"
    count = len(kept)

    def write_part(batches: Iterable[Any]) -> Iterator[Any]:
        yield from _written(work, count, batches, path, f"_unfinished-{job}", names, compression)

    try:
        system.create_dir(unfinished, recursive=True)
        parts = input_.mapInArrow(write_part, "file string, rows bigint, code string").collect()
        for old in existing:
            (
                system.delete_dir
                if system.get_file_info(old).type == fs.FileType.Directory
                else system.delete_file
            )(old)
        files = sorted({part.file for part in parts if part.file})
        if not files:
            # Lets Spark read the columns of an empty result.
            files = [f"{job}.parquet"]
            _write_nothing(work, kept, f"{folder}/_unfinished-{job}/{files[0]}", system)
        for number, file in enumerate(files):
            system.move(f"{unfinished}/{file}", f"{folder}/part-{number:05}-{job}.parquet")
        with system.open_output_stream(f"{folder}/_SUCCESS"):
            pass
    except OSError as failure:
        raise CannotWriteError(
            f"{path} cannot be written: {failure}; give a folder that the driver and executors can"
            " write to"
        ) from None
    finally:
        try:
            system.delete_dir(unfinished)
        except OSError:
            pass
    errors: Dict[str, int] = {}
    for part in parts:
        if part.code is not None:
            errors[part.code] = errors.get(part.code, 0) + part.rows
    return {
        "rows": sum(part.rows for part in parts if part.code is None),
        "errors": errors,
        "files": len(files),
    }


def register(
    spark: Any,
    name: str = "layout",
    *,
    columns: Sequence[str] = DEFAULT_COLUMNS,
    host: Optional[Mapping[str, Any]] = None,
    element_limit: Optional[int] = None,
    float32: bool = False,
) -> None:
    """Adds a function and a table function of this name to SQL.

        SELECT id, layout('flow', struct(sizes AS size, spacing AS minimum_line_spacing)) AS found
          FROM albums
        SELECT id, element.* FROM albums, LATERAL layout('flow', struct(sizes AS size)) AS element

    Both take the engine and a struct, by names in either spelling: item values as arrays,
    parameters, `items` or `sections`, and `bounds`. The function returns a struct of
    `elements`, an array of structs, `content_size`, `error` and `error_code`, and lays out many
    rows per call. The table function returns a row per element, or one with an error for a
    failed collection. It needs a call per row: explode(layout(…).elements) is faster.

    The function needs Spark 4.1, the table function Spark 3.5.

    :param columns: Element columns: category, kind, section, item, frame, alpha, z_index, hidden.

    Other arguments are as for layouts.
    """
    from pyspark.sql import functions  # type: ignore[import-not-found, unused-ignore]
    from pyspark.sql.udtf import AnalyzeResult  # type: ignore[import-not-found, unused-ignore]

    if not hasattr(functions, "arrow_udf"):
        raise InvalidError("this Spark has no arrow_udf; use Spark 4.1, or tessera.spark.layouts")
    function = Function(columns, host, element_limit, float32)
    whole = _spark_type(function.kind(), float32)

    def lay_out(engine: Any, given: Any) -> Any:
        return function(engine, given)

    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    lay_out.__annotations__ = {
        "engine": pyarrow.Array,
        "given": pyarrow.Array,
        "return": pyarrow.Array,
    }
    spark.udf.register(name, functions.arrow_udf(lay_out, whole))
    rows = _spark_type([*((one, kind) for one, kind, _ in function.found), *ENDING], float32)

    # The driver's analysis of a call, for executors.
    analyzed = make_dataclass("Analyzed", [("struct", Any, None)], bases=(AnalyzeResult,))

    class Table:
        def __init__(self, analysis: Any) -> None:
            self.type = analysis.struct

        @staticmethod
        def analyze(engine: Any, given: Any) -> Any:
            struct = _arrow(given.dataType, "what layout was given")
            if isinstance(engine.value, str):
                # Fails on the driver if no row can work.
                function.work(engine.value, struct).opened().close()
            return analyzed(rows, struct=struct)

        def eval(self, engine: Any, given: Any) -> Iterator[Any]:
            yield from function.rows(engine, given, self.type)

    spark.udtf.register(name, functions.udtf(Table))


# ---------------------------------------------------------------- driver


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _input(
    data: Any,
    work: Work,
    keep: Optional[Sequence[str]],
    more: Sequence[str] = (),
    fields: Optional[Sequence[Tuple[str, Any]]] = None,
) -> Tuple[Any, List[Tuple[str, Any]]]:
    """Columns for executors, kept ones first, and the kept ones' names and types."""
    # No worker remains on the driver.
    work.opened().close()
    if not hasattr(data, "mapInArrow"):
        raise InvalidError(f"data is {_values.shown(data)}; give a DataFrame of Spark")
    from pyspark.sql.functions import col

    chosen = [_quoted(name) for name in data.columns] if keep is None else names_of(keep, "keep")
    names = [*chosen, *work.needed, *more]
    try:
        whole = data.select(
            *(col(name).alias(f"c{place - len(chosen)}") for place, name in enumerate(names))
        )
        fields_found = whole.schema.fields
        shown = list(data.columns) if keep is None else data.select(*chosen).columns
    except Exception as failure:
        if type(failure).__name__ != "AnalysisException":
            raise
        raise _unknown(data, names, failure) from None
    own = [name for name, _ in (work.fields() if fields is None else fields)]
    known = set()
    for name in [*shown, *own]:
        if _folded(data, name) in known:
            where = (
                f"the result has a column {name!r} of its own"
                if name in own
                else f"two kept columns are named {name!r}"
            )
            raise InvalidError(f"{where}; rename the column of the data, or do not keep it")
        known.add(_folded(data, name))
    work.check(
        {
            name: _arrow(fields_found[len(chosen) + place].dataType, name)
            for place, name in enumerate(work.needed)
        }
    )
    selected = [col(name).alias(f"k{place}") for place, name in enumerate(chosen)]
    selected += [col(name).alias(f"c{place}") for place, name in enumerate([*work.needed, *more])]
    kept = [(name, fields_found[place].dataType) for place, name in enumerate(shown)]
    return data.select(*selected), kept


def _unknown(data: Any, names: Sequence[str], failure: Exception) -> InvalidError:
    """An error for the first unknown column."""
    for name in names:
        try:
            data.select(name).schema
        except Exception as reason:
            text = str(reason)
            if "AMBIGUOUS" in text:
                return InvalidError(
                    f"the data has several columns {name}; rename them, or do not keep them"
                )
            advice = (
                f"; for the column with a dot in its name, give {_quoted(name)}"
                if name in data.columns
                else ""
            )
            return InvalidError(
                f"the data has no column {name!r}; it has {', '.join(data.columns)}{advice}"
            )
    return InvalidError(str(failure).split("\n")[0])


def _places(data: Any, names: Sequence[str], kept: Sequence[Tuple[str, Any]]) -> List[int]:
    """Indexes in the kept columns."""
    wanted = {_folded(data, name) for name in data.select(*names).columns}
    return [place for place, (name, _) in enumerate(kept) if _folded(data, name) in wanted]


def _folded(data: Any, name: str) -> str:
    """Spark compares names case-insensitively by default."""
    return name if data.sparkSession.conf.get("spark.sql.caseSensitive") == "true" else name.lower()


def _arrow(type_: Any, name: str) -> Any:
    from pyspark.sql.pandas.types import to_arrow_type  # type: ignore[import-not-found, unused-ignore]

    try:
        try:
            return to_arrow_type(type_, timezone="UTC")
        except TypeError:
            # Before Spark 4.1, times had no zone.
            return to_arrow_type(type_)
    except Exception:
        raise InvalidError(
            f"{name} is of {type_.simpleString()}; give numbers, texts, structs or arrays of them"
        ) from None


def _spark_type(kind: Any, single: bool) -> Any:
    """A Spark type: SQL name, struct of numbers, array, or list of fields."""
    from pyspark.sql import types

    plain = {
        "string": types.StringType(),
        "bigint": types.LongType(),
        "int": types.IntegerType(),
        "double": types.FloatType() if single else types.DoubleType(),
        "boolean": types.BooleanType(),
    }
    if isinstance(kind, str):
        return plain[kind]
    if isinstance(kind, list):
        return types.StructType(
            [
                types.StructField(name, _spark_type(one, single and name != "content_size"))
                for name, one in kind
            ]
        )
    if kind[0] == "array":
        return types.ArrayType(_spark_type(kind[1], single))
    return types.StructType([types.StructField(name, plain["double"]) for name in kind])


def _schema(
    work: Work, kept: Sequence[Tuple[str, Any]], fields: Optional[Sequence[Tuple[str, Any]]] = None
) -> Any:
    from pyspark.sql import types

    own = _spark_type(list(work.fields() if fields is None else fields), work.float32)
    return types.StructType([types.StructField(name, type_) for name, type_ in kept] + own.fields)


# ---------------------------------------------------------------- executors


def _record(arrays: Sequence[Any]) -> Any:
    """Spark matches by order and takes names from the schema."""
    import pyarrow

    return pyarrow.RecordBatch.from_arrays(
        list(arrays), [str(place) for place in range(len(arrays))]
    )


def _results(
    work: Work, count: int, batches: Iterable[Any]
) -> Iterator[Tuple[Any, int, int, List[Any]]]:
    """Yields a task's results: batch, first row, end row, arrays. The worker ends with the task."""
    import pyarrow

    process = Process(work)
    try:
        for batch in batches:
            given = (
                pyarrow.RecordBatch.from_arrays(batch.columns[count:], work.needed)
                if work.needed
                else batch
            )
            for first, last, arrays in process.lay_out(given):
                yield batch, first, last, arrays
    finally:
        process.close()


def _group(
    work: Work,
    process: Process,
    table: Any,
    order: Sequence[str],
    is_key: Sequence[int],
    count: int,
    titles: Sequence[str],
) -> Any:
    """Lays out a group as one row with arrays; returns a row per element."""
    import pyarrow
    import pyarrow.compute as compute  # type: ignore[import-untyped, unused-ignore]

    if order:
        table = table.sort_by([(name, "ascending") for name in order])
    table = table.combine_chunks()
    rows = table.num_rows
    arrays: Dict[str, Any] = {_COUNT: pyarrow.array([rows], pyarrow.int64())}
    for place, name in enumerate(work.needed):
        column = _whole(table.column(count + place))
        is_value = any(name == column_name for _, column_name in work.lists)
        arrays[name] = (
            pyarrow.ListArray.from_arrays(pyarrow.array([0, rows], pyarrow.int32()), column)
            if is_value
            else column.slice(0, 1)
        )
    _, _, fields = next(iter(process.lay_out(pyarrow.RecordBatch.from_pydict(arrays))))
    found = dict(zip((name for name, _ in work.fields()), fields))
    failed = (
        found["error"][0].is_valid
        if hasattr(found["error"][0], "is_valid")
        else found["error"][0].as_py() is not None
    )
    if failed:
        number, items = 1, pyarrow.nulls(1, pyarrow.int64())
        columns = {
            name: pyarrow.nulls(1, arrow_type(kind, work.float32)) for name, kind, _ in work.columns
        }
    else:
        columns = {name: found[name].flatten() for name, _, _ in work.columns}
        number = len(columns["item"])
        is_cell = compute.equal(columns["category"], "cell")
        items = compute.if_else(is_cell, columns["item"], pyarrow.scalar(None, pyarrow.int64()))
    once = pyarrow.array([0] * number, pyarrow.int64())
    columns.update((name, found[name].take(once)) for name, _ in ENDING)
    kept = [
        _whole(table.column(place)).take(once if place in is_key else items)
        for place in range(count)
    ]
    return pyarrow.Table.from_arrays([*kept, *(columns[name] for name in titles[count:])], titles)


def _whole(column: Any) -> Any:
    """Combines chunks."""
    import pyarrow

    return pyarrow.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)


def _folder(path: str) -> Tuple[Any, str]:
    """A path's file system, and the path in it."""
    import os

    from pyarrow import fs

    try:
        system, folder = (
            fs.FileSystem.from_uri(path)
            if "://" in path or path.startswith("file:")
            else (fs.LocalFileSystem(), os.path.abspath(path))
        )
    except Exception as failure:
        raise InvalidError(
            f"path is {path!r}: {failure}; give a folder, or a URI that pyarrow knows"
        ) from None
    return system, folder.rstrip("/")


def _write_nothing(work: Work, kept: Sequence[Tuple[str, Any]], path: str, system: Any) -> None:
    """Writes a file with columns but no rows."""
    import pyarrow
    import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]

    columns = [(name, _arrow(type_, name)) for name, type_ in kept] + [
        (name, work.arrow_field(kind, name)) for name, kind in work.fields()
    ]
    pyarrow.parquet.write_table(pyarrow.schema(columns).empty_table(), path, filesystem=system)


def _written(
    work: Work,
    count: int,
    batches: Iterable[Any],
    path: str,
    unfinished: str,
    names: Sequence[str],
    compression: str,
) -> Iterator[Any]:
    """Writes a task's results to a file; returns name, row count, and failures by code."""
    import pyarrow
    import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]

    system, folder = _folder(path)
    file, writer, rows = f"{uuid.uuid4().hex}.parquet", None, 0
    errors: Dict[str, int] = {}
    try:
        for batch, first, last, arrays in _results(work, count, batches):
            kept = [batch.column(place).slice(first, last - first) for place in range(count)]
            part = pyarrow.RecordBatch.from_arrays([*kept, *arrays], list(names))
            if writer is None:
                # Numbers are rarely equal, so a dictionary costs more than it saves.
                texts = [name for name in names if name in ("category", "kind")]
                texts = [f"{name}.list.element" for name in texts]
                writer = pyarrow.parquet.ParquetWriter(
                    f"{folder}/{unfinished}/{file}",
                    part.schema,
                    filesystem=system,
                    compression=compression,
                    use_dictionary=texts or False,
                    write_statistics=list(names[:count]),
                )
            writer.write_batch(part)
            rows += part.num_rows
            codes = arrays[-1]
            if codes.null_count < len(codes):
                for one in pyarrow.compute.value_counts(codes.drop_null()).to_pylist():
                    errors[one["values"]] = errors.get(one["values"], 0) + one["counts"]
    finally:
        if writer is not None:
            writer.close()
    found = [(file if writer is not None else None, rows, None)] + [
        (None, number, code) for code, number in errors.items()
    ]
    yield pyarrow.RecordBatch.from_arrays(
        [
            pyarrow.array(list(column), type_)
            for column, type_ in zip(
                zip(*found), (pyarrow.string(), pyarrow.int64(), pyarrow.string())
            )
        ],
        ["file", "rows", "code"],
    )
