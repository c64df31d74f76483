//! Extracts the commands that a page of Markdown shows, in order.

/// A command, and what the page says about its output.
#[derive(Debug, PartialEq, Eq)]
pub enum Shown {
    /// A line of a code block; the command must succeed.
    Command(String),
    /// A command of a transcript with the output shown below it.
    Transcript { command: String, output: String },
    /// A command within a sentence.
    Inline(String),
}

impl Shown {
    /// Returns the command as it is typed.
    pub fn command(&self) -> &str {
        let (Self::Command(command) | Self::Inline(command) | Self::Transcript { command, .. }) =
            self;
        command
    }
}

/// The beginnings by which a command within a sentence is recognized.
const PROGRAMS: [&str; 3] = ["kt-enum ", "cargo ", "scripts/"];
/// The languages of code blocks that contain no commands.
const OTHER_LANGUAGES: [&str; 4] = ["text", "rust", "json", "python"];

/// Returns all commands of a page.
///
/// # Panics
/// Panics if a code block is marked neither as commands nor as one of the other languages, or if a
/// block of those contains a command.
pub fn commands(page: &str) -> Vec<Shown> {
    let mut shown = Vec::new();
    let mut lines = page.lines();
    let mut prose = String::new();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            prose += line;
            prose.push('\n');
            continue;
        };
        inline(&std::mem::take(&mut prose), &mut shown);
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match language {
            "sh" => block_of_commands(&block, &mut shown),
            "console" => transcript(&block, &mut shown),
            _ => {
                assert!(
                    OTHER_LANGUAGES.contains(&language),
                    "a block says `{language}`: say sh, console, or one of {OTHER_LANGUAGES:?}"
                );
                let command = |line: &&&str| line.starts_with("$ ") || starts_a_command(line);
                let hidden = block.iter().find(command);
                assert!(hidden.is_none(), "a block of {language} has {hidden:?}");
            }
        }
    }
    inline(&prose, &mut shown);
    shown
}

fn starts_a_command(text: &str) -> bool {
    PROGRAMS.iter().any(|program| text.starts_with(program))
}

/// Returns a line without the comment at its end.
fn typed(line: &str) -> String {
    line.split("  #").next().unwrap_or(line).trim().to_owned()
}

fn block_of_commands(block: &[&str], shown: &mut Vec<Shown>) {
    let text = block.join("\n").replace("\\\n", " ");
    let lines = text.lines().map(typed).filter(|line| !line.is_empty());
    shown.extend(lines.map(Shown::Command));
}

fn transcript(block: &[&str], shown: &mut Vec<Shown>) {
    assert!(block.first().is_none_or(|line| line.starts_with("$ ")));
    for line in block {
        match (line.strip_prefix("$ "), shown.last_mut()) {
            (Some(command), _) => {
                shown.push(Shown::Transcript { command: typed(command), output: String::new() })
            }
            (None, Some(Shown::Transcript { output, .. })) => {
                *output += line;
                output.push('\n');
            }
            (None, _) => unreachable!("a transcript begins with a command"),
        }
    }
}

fn inline(prose: &str, shown: &mut Vec<Shown>) {
    let spans = prose.split('`').skip(1).step_by(2);
    let commands = spans.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" "));
    shown.extend(commands.filter(|c| starts_a_command(c)).map(Shown::Inline));
}

#[test]
fn commands_are_found_in_blocks_transcripts_and_sentences() {
    let page = "Type `kt-enum man` or\n`kt-enum\nlist`, not `--size`.\n```sh\nkt-enum a \\\n  b  # why\n\n```\n\
                ```console\n$ kt-enum c\none\n\ntwo\n$ true\n```\n```text\nkt\n```\n";
    let transcript = |command: &str, output: &str| Shown::Transcript {
        command: command.to_owned(),
        output: output.to_owned(),
    };
    let expected = [
        Shown::Inline("kt-enum man".to_owned()),
        Shown::Inline("kt-enum list".to_owned()),
        Shown::Command("kt-enum a    b".to_owned()),
        transcript("kt-enum c", "one\n\ntwo\n"),
        transcript("true", ""),
    ];
    assert_eq!(commands(page), expected);
}

#[test]
#[should_panic(expected = "a block says ``")]
fn a_block_that_does_not_say_what_it_is_is_refused() {
    commands("```\nkt-enum --size 6\n```\n");
}

#[test]
#[should_panic(expected = "kt-enum --size 6")]
fn a_command_in_a_block_of_text_is_refused() {
    commands("```text\nkt-enum --size 6\n```\n");
}
