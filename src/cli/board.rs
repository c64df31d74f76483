//! The board that was typed: by its sides, as a drawing, or as a graph; and its fields in JSON.

use super::args::{BoardArgs, LinkArgs, SignArgs};
use super::exit::Failure;
use super::output::note;
use super::values::parse_board;
use crate::board::{
    Board, BoardError, GraphFile, GraphFileError, Layout, MoveOrder, Square, SquareError, drawings,
};
use crate::idle::IdleStep;
use crate::machine;
use crate::tour::{KnownBoard, PartFilledReader, link};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// The complaint about a missing board.
pub const WHICH_BOARD: &str =
    "which board? give --size N, or --size RxC; or --board or --graph and a file";

/// The largest number of bytes of a file of drawings or puzzles.
pub const LONGEST_FILE: u64 = 1 << 26;

/// The boards that were typed: none, one, or all drawings or graphs of a file.
pub fn boards(args: &BoardArgs) -> Result<Vec<Board>, Failure> {
    let _step = args.files().next().map(reading);
    if let Some(path) = &args.graph {
        let (name, bytes) = read(path, "the board", GraphFile::LONGEST as u64)?;
        let file = GraphFile::read(&bytes, args.graph_format).map_err(|error| {
            let said = format!("{name}: {error}");
            Failure::usage(match error {
                GraphFileError::Unsure { formats, .. } => {
                    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
                    format!("{said}: say which with --graph-format {}", names.join(" or "))
                }
                // A name that means something to a shell or to Python stands in no command.
                GraphFileError::Foreign { .. }
                    if is_input(path) || name.contains(['\'', '"', '$', '`', '\\']) =>
                {
                    said.replace("FILE", "graph.txt") + ", where graph.txt has this text"
                }
                GraphFileError::Foreign { .. } => said.replace("FILE", &name),
                _ => said,
            })
        })?;
        // A file that was misread shows, whatever the style of progress.
        note(&format!("{name}: {file}"));
        return Ok(file.graphs.iter().map(Board::of_network).collect());
    }
    // clap does not require --graph beside --size, with which it conflicts.
    Failure::usage_if(args.graph_format.is_some(), || "--graph-format is for --graph FILE")?;
    let has_legend = args.legend.is_some() && args.board.is_none();
    Failure::usage_if(has_legend, || "--legend is for the drawings of --board FILE")?;
    let layouts = match &args.board {
        Some(path) => {
            let (name, bytes) = read(path, "the board", LONGEST_FILE)?;
            let wrong = |error: &dyn Display| Failure::usage(format!("{name}: {error}"));
            if args.grid.is_some() {
                let known = KnownBoard { piece: args.grid.clone(), ..KnownBoard::default() };
                let read = PartFilledReader::new(known).read_all(&String::from_utf8_lossy(&bytes));
                let boards = read.into_iter().map(|read| Ok(read.map_err(|e| wrong(&e))?.board));
                return boards.collect();
            }
            drawings(&bytes, args.legend.unwrap_or(*b".#")).map_err(|error| wrong(&error))?
        }
        None => rectangles(args)?,
    };
    if layouts.is_empty() {
        check_needs_no_board(args)?;
    }
    layouts.into_iter().map(|layout| finished(layout, args)).collect()
}

/// The board that was typed, if one was.
pub fn board(args: &BoardArgs) -> Result<Option<Board>, Failure> {
    match &boards(args)?[..] {
        [] => Ok(None),
        [board] => Ok(Some(board.clone())),
        several => Err(Failure::usage(format!(
            "these are {} boards, and kt-enum count takes several: give one of them",
            several.len()
        ))),
    }
}

/// The board that was typed, which has to be there.
pub fn required_board(args: &BoardArgs) -> Result<Board, Failure> {
    board(args)?.ok_or_else(|| Failure::usage(WHICH_BOARD))
}

/// The facts known about the board of tours from files. Standard input cannot be both.
pub fn board_of_tours(
    args: &BoardArgs,
    signs: &SignArgs,
    tours: &[PathBuf],
) -> Result<KnownBoard, Failure> {
    Failure::usage_if(
        args.files().any(is_input) && tours.iter().any(|path| is_input(path)),
        || "standard input cannot be both the board and the tours: name a file for one of them",
    )?;
    let has_sides = args.size.is_some() || args.rows.is_some() || args.files().next().is_some();
    if has_sides || args.without.is_some() || args.legend.is_some() {
        return Ok(KnownBoard { board: board(args)?, ..known_signs(signs)? });
    }
    // Each grid tells its sides.
    let KnownBoard { board, piece, wrap, .. } = piece_and_wrap(args);
    Ok(KnownBoard { board, piece, wrap, ..known_signs(signs)? })
}

/// The signs that were typed.
fn known_signs(args: &SignArgs) -> Result<KnownBoard, Failure> {
    let [blanks, holes] = [&args.blank, &args.hole].map(|signs| signs.clone().unwrap_or_default());
    KnownBoard::of_signs(blanks, holes).map_err(Failure::usage)
}

/// The pairs of squares that were typed as links.
pub fn links(args: &LinkArgs, board: &Board) -> Result<Vec<[Square; 2]>, Failure> {
    let read = |text: &String| {
        link(board, text).map_err(|error| Failure::usage(format!("--link {text}: {error}")))
    };
    args.link.iter().map(read).collect()
}

/// Refuses an explicit graph, whose vertices have no places.
pub fn check_has_places(board: &Board, command: &str) -> Result<(), Failure> {
    Failure::usage_if(board.is_graph(), || {
        format!("the vertices of a graph have no places to draw: kt-enum {command} is for boards")
    })
}

/// Refuses a move order that names the steps of a knight on any other board.
pub fn check_order(board: &Board, order: MoveOrder) -> Result<(), Failure> {
    order.for_board(board).map(drop).map_err(|error| Failure::usage(format!("--{error}")))
}

/// The rectangles that were typed by their sides, by rows and then by columns.
fn rectangles(args: &BoardArgs) -> Result<Vec<Layout>, Failure> {
    /// The largest number of boards.
    const MOST: usize = 10_000;
    let size = args.size.iter().flatten().map(|board| (board.rows(), board.cols()));
    let typed = args.rows.clone().zip(args.cols.clone()).into_iter();
    let typed = typed
        .flat_map(|(rows, cols)| rows.flat_map(move |row| cols.clone().map(move |col| (row, col))));
    let sides: Vec<(u32, u32)> = size.chain(typed).take(MOST + 1).collect();
    Failure::usage_if(sides.len() > MOST, || {
        format!("these are more than {MOST} boards: name fewer")
    })?;
    let layout = |(rows, cols)| {
        Ok(Board::new(rows, cols).map(|_| match args.grid.is_some() && args.size.is_some() {
            true if rows == cols => Layout::hexagon(rows),
            _ => Layout::new(rows, cols),
        })?)
    };
    sides.into_iter().map(layout).collect()
}

/// The board of a rectangle with the piece, the joined edges and the holes that were typed.
fn finished(mut layout: Layout, args: &BoardArgs) -> Result<Board, Failure> {
    for square in args.without.iter().flat_map(|squares| squares.split(',')) {
        layout.leave_out(square).map_err(|error| match error {
            BoardError::Hole(SquareError::Form(_)) => Failure::usage(format!(
                "--without: `{square}` is not a square: write squares as in chess, with commas \
                 between them (a1,h8)"
            )),
            error => Failure::usage(format!("--without: {error}")),
        })?;
    }
    Ok(piece_and_wrap(args).board_of(layout)?)
}

/// The part of a board that holds whatever its sides are.
fn piece_and_wrap(args: &BoardArgs) -> KnownBoard {
    let piece = args.grid.clone().or_else(|| args.piece.clone());
    KnownBoard { piece, wrap: args.wrap, ..KnownBoard::default() }
}

/// Refuses options that say more about a board which was not typed.
fn check_needs_no_board(args: &BoardArgs) -> Result<(), Failure> {
    let options = [
        ("--without", args.without.is_some()),
        ("--piece", args.piece.is_some()),
        ("--grid", args.grid.is_some()),
        ("--wrap", args.wrap.is_some()),
    ];
    Failure::usage_if_any(&options, |option| format!("{option}: {WHICH_BOARD}"))
}

/// The name of a file in words and its bytes, or those of standard input if it is `-`.
pub fn read(path: &Path, content: &str, longest: u64) -> Result<(String, Vec<u8>), Failure> {
    let _step = reading(path);
    let mut bytes = Vec::new();
    let (name, input) = open(path, content);
    let read = input.and_then(|input| input.take(longest + 1).read_to_end(&mut bytes));
    read.map_err(|error| {
        let meant = |_| format!("; for a board say --size {name}");
        let meant = parse_board(&name).map_or(String::new(), meant);
        Failure::failed(format!("cannot read {name}: {error}{meant}"))
    })?;
    Failure::usage_if(bytes.len() as u64 > longest, || {
        format!("{name} has more than {longest} bytes: it is not read")
    })?;
    machine::check_gives(bytes.len().saturating_mul(16), &name).map_err(Failure::failed)?;
    Ok((name, bytes))
}

/// The step of reading a file and of working on what it says.
pub fn reading(path: &Path) -> IdleStep {
    IdleStep::begin(format_args!("reading {}", name_of(path)))
}

/// The name of a file in words.
pub fn name_of(path: &Path) -> String {
    if is_input(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// True if a file stands for standard input.
pub fn is_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a file, or standard input if it is `-`, with its name in words. If the content has to be
/// typed, a line says so.
pub fn open(path: &Path, content: &str) -> (String, io::Result<Box<dyn BufRead>>) {
    if !is_input(path) {
        let file = File::open(path).map(|file| Box::new(BufReader::new(file)) as Box<dyn BufRead>);
        return (name_of(path), file);
    }
    if io::stdin().is_terminal() {
        note(&format!("reading {content} from the terminal: end with Ctrl-D"));
    }
    (name_of(path), Ok(Box::new(io::stdin().lock())))
}
