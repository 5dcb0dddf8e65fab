//! The rows of a sweep as one Parquet file: what pandas, polars and DuckDB read without being told any types.

use std::{fs::File, io, path::Path, sync::Arc};

use parquet::{
    basic::{LogicalType, Repetition, Type as Physical},
    column::writer::ColumnWriter,
    data_type::ByteArray,
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::types::Type,
};

use weft_core::files;

use super::{Row, table::MEASURED};

/// A column of the table, by what its values are.
enum Column {
    Text,
    Count,
    /// Empty stands for none.
    Number,
}

/// Values of an axis are numbers if all of them are.
pub(super) fn write(path: &Path, rows: &[Row], axes: &[&str]) -> Result<(), String> {
    let values: Vec<Vec<String>> = rows.iter().map(Row::values).collect();
    let names: Vec<&str> =
        ["scene", "solver"].into_iter().chain(axes.iter().copied()).chain(MEASURED).collect();
    let column = |(i, name): (usize, &&str)| match *name {
        "scene" | "solver" | "state_hash" | "failure" => Column::Text,
        "frames" | "threads" | "particles" | "constraints" => Column::Count,
        _ if values.iter().all(|row| row[i].is_empty() || row[i].parse::<f64>().is_ok()) => Column::Number,
        _ => Column::Text,
    };
    let columns: Vec<Column> = names.iter().enumerate().map(column).collect();
    save(path, &names, &columns, &values).map_err(|why| format!("{}: {why}", path.display()))
}

fn save(path: &Path, names: &[&str], columns: &[Column], values: &[Vec<String>]) -> Result<(), ParquetError> {
    let field = |(name, column): (&&str, &Column)| {
        let (of, logical, repetition) = match column {
            Column::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
            Column::Count => (Physical::INT64, None, Repetition::REQUIRED),
            Column::Number => (Physical::DOUBLE, None, Repetition::OPTIONAL),
        };
        let field = Type::primitive_type_builder(name, of).with_repetition(repetition);
        field.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = names.iter().zip(columns).map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("sweep").with_fields(fields).build()?);
    let write = |file: &mut File| rows(file, schema, values).map_err(io::Error::other);
    Ok(files::write_with(path, write)?)
}

fn rows(file: &mut File, schema: Arc<Type>, values: &[Vec<String>]) -> Result<(), ParquetError> {
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::default()))?;
    let mut group = writer.next_row_group()?;
    let mut next = 0;
    while let Some(mut into) = group.next_column()? {
        let cells = values.iter().map(|row| row[next].as_str());
        match into.untyped() {
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                let cells: Vec<ByteArray> = cells.map(ByteArray::from).collect();
                writer.write_batch(&cells, None, None)?;
            }
            ColumnWriter::Int64ColumnWriter(writer) => {
                let cells: Vec<i64> = cells.map(|cell| cell.parse().unwrap_or_default()).collect();
                writer.write_batch(&cells, None, None)?;
            }
            ColumnWriter::DoubleColumnWriter(writer) => {
                let cells: Vec<Option<f64>> = cells.map(|cell| cell.parse().ok()).collect();
                let defined: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                let numbers: Vec<f64> = cells.into_iter().flatten().collect();
                writer.write_batch(&numbers, Some(&defined), None)?;
            }
            _ => unreachable!("columns are of these three kinds"),
        }
        into.close()?;
        next += 1;
    }
    group.close()?;
    writer.close()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use parquet::{
        file::reader::{FileReader as _, SerializedFileReader},
        record::RowAccessor as _,
    };

    use super::{super::Cell, *};

    #[test]
    fn the_file_reads_back_with_types() {
        let cell = |substeps: &str| Cell {
            scene: "a.ron".into(),
            solver: "xpbd".into(),
            set: vec![("solver.substeps".into(), substeps.into()), ("solver.order".into(), "given".into())],
        };
        let mut rows = [Row::new(&cell("4"), 60, 2), Row::new(&cell("8"), 60, 2)];
        (rows[0].ms_p50, rows[1].failure) = (1.25, "NaN, \"x\"".to_string());
        let path = std::env::temp_dir().join(format!("weft-sweep-{}.parquet", std::process::id()));
        write(&path, &rows, &["solver.substeps", "solver.order"]).unwrap_or_else(|why| panic!("{why}"));
        let reader = SerializedFileReader::new(File::open(&path).expect("it is there")).expect("it reads");
        let names: Vec<String> = reader
            .metadata()
            .file_metadata()
            .schema()
            .get_fields()
            .iter()
            .map(|field| field.name().to_string())
            .collect();
        assert_eq!(names[..5], ["scene", "solver", "solver.substeps", "solver.order", "frames"]);
        let place = |name: &str| names.iter().position(|known| known == name).expect("a column");
        let read: Vec<_> = reader.get_row_iter(None).expect("rows").map(|row| row.expect("a row")).collect();
        assert_eq!(read.len(), 2);
        assert_eq!(
            (read[1].get_double(2).ok(), read[0].get_string(3).ok().map(String::as_str)),
            (Some(8.0), Some("given"))
        );
        assert_eq!(
            (read[0].get_long(place("frames")).ok(), read[0].get_double(place("ms_p50")).ok()),
            (Some(60), Some(1.25))
        );
        assert!(read[1].get_double(place("ms_p50")).is_err(), "no number is none");
        assert_eq!(read[1].get_string(place("failure")).ok().map(String::as_str), Some("NaN, \"x\""));
        let _ = std::fs::remove_file(path);
    }
}
