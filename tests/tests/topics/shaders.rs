//! Every WGSL file translates; every mistake is an error with a place, never a panic.

use tests::places;
use weft_draw::{
    ShaderError, ShaderSources,
    shader::{COMMON, KINDS},
    translate::{self, translate, translate_with},
};
use weft_proof::soak::{BAD_SHADERS, Edit, GOOD_SHADERS, Mistake};

#[test]
fn every_shader_of_the_tree_translates() {
    let folder = places::root().join("shaders/draw");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "wgsl") {
            files.push(path);
        }
    }
    assert_eq!(files.len(), KINDS.len() + 1, "each file is known to the renderer");
    let common = std::fs::read_to_string(folder.join(COMMON)).unwrap();
    for path in files {
        let (name, text) =
            (path.file_name().unwrap().to_str().unwrap(), std::fs::read_to_string(&path).unwrap());
        let translated = translate_with(name, &text, &common, translate::GLSL_330)
            .unwrap_or_else(|e| panic!("{}", e.report));
        assert_eq!(translated.pairs.is_empty(), name == COMMON);
        for stages in translated.pairs {
            for glsl in [&stages.vertex, &stages.fragment] {
                assert!(glsl.starts_with("#version 330") && glsl.contains("void main()"), "{name}");
                assert!(!glsl.contains("layout(std140)"), "{name}: blocks become plain uniforms");
            }
            assert!(stages.uniforms.iter().all(|uniform| uniform.count > 0), "{name}");
        }
    }
}

/// The built-in `cloth.wgsl` with `from` replaced once.
fn cloth(from: &str, to: &str) -> String {
    let text = ShaderSources::built_in().text("cloth.wgsl").to_owned();
    assert!(text.contains(from), "cloth.wgsl has no `{from}`");
    text.replacen(from, to, 1)
}

fn line_of(text: &str, part: &str) -> u32 {
    let before = text.split(part).next().unwrap();
    before.matches('\n').count() as u32 + 1
}

fn error(text: &str) -> ShaderError {
    translate("cloth.wgsl", text).err().unwrap_or_else(|| panic!("translated:\n{text}"))
}

#[test]
fn mistakes_are_placed() {
    for (from, to, at) in [
        ("fn vs_main", "fn fn vs_main", "fn fn"),
        ("normal.w);", "normal.w, 1.0);", "normal.w, 1.0"),
        ("THREADS = 128.0", "THREADS = 128.0 128.0", "THREADS = "),
        ("let ", "let broken = nothing_of_the_kind; let ", "nothing_of_the_kind"),
        ("let ", "let broken: f32 = 1u; let ", "1u"),
        ("let ", "let broken = vec3<f32>(1.0) * mat4x4<f32>(); let ", "broken"),
        ("let ", "let @; let ", "@; let"),
        ("let ", "let broken = (1.0; let ", "broken"),
        ("-> @builtin(position)", "-> @builtin(positoin)", "positoin"),
        ("@fragment", "@fragmen", "@fragmen"),
    ] {
        let text = cloth(from, to);
        let error = error(&text);
        let line = error.line.unwrap_or_else(|| panic!("no line: {error}\n{}", error.report));
        assert_eq!(error.file, "cloth.wgsl", "{error}");
        assert!(line.abs_diff(line_of(&text, at)) <= 1, "{error} is not near `{at}`");
        assert!(!error.message.contains('\n') && error.report.contains('\n'));
    }
}

#[test]
fn missing_things_are_named() {
    for (text, named) in [
        (String::new(), "empty"),
        (" \n\t\n".into(), "empty"),
        ("// nothing\n".into(), "vs_main"),
        (cloth("fn fs_main", "fn fs_other"), "entry point `@fragment fn fs_main` is missing"),
        (cloth("fn vs_shadow", "fn vs_shade"), "entry point `@vertex fn vs_shadow` is missing"),
        (cloth("object", "subject").replace("object", "subject"), "subject"),
        (cloth("albedo", "colour").replace("albedo", "colour"), "colour"),
    ] {
        let error = error(&text);
        assert!(error.to_string().contains(named), "{error}");
    }
    let error = translate("velvet.wgsl", "fn f() {}").unwrap_err();
    assert_eq!(error.to_string(), "velvet.wgsl: not one of Weft's shader files");
}

#[test]
fn a_mistake_in_the_common_file_is_placed_there() {
    let sources = ShaderSources::built_in();
    let common = format!("{}\nfn broken() -> f32 {{ return 1u; }}\n", sources.text(COMMON));
    let line = common.lines().count() as u32;
    let error =
        translate_with("sky.wgsl", sources.text("sky.wgsl"), &common, translate::GLSL_330).unwrap_err();
    assert_eq!((error.file.as_str(), error.line), (COMMON, Some(line)), "{error}");
}

#[test]
fn hostile_texts_are_errors_and_not_the_end() {
    let deep = format!("{}1.0{}", "(".repeat(10_000), ")".repeat(10_000));
    let texts = [
        cloth("let ", &format!("let deep = {deep}; let ")),
        "{".repeat(10_000),
        "fn f() { ".to_owned() + &"if true { ".repeat(5_000),
        "\u{0}\u{1}\u{feff}".into(),
        "struct A { a: A }".into(),
        "fn a() { b(); } fn b() { a(); }".into(),
        "/* never closed".into(),
        "const x = 1 / 0;".into(),
        "var<private> x: array<f32, 4294967295>;".into(),
        "🧵".repeat(1000),
        "@vertex fn vs_main() -> f32 { return 1.0; }".into(),
    ];
    for text in texts {
        let start: String = text.chars().take(40).collect();
        assert!(translate("cloth.wgsl", &text).is_err(), "{start}");
    }
}

/// What the renderer says about a save, as it is in the window.
fn saved(edit: &Edit) -> Result<(), ShaderError> {
    let sources = ShaderSources::built_in();
    let file = edit.file.rsplit('/').next().unwrap();
    let text = edit.apply(sources.text(file)).unwrap_or_else(|| panic!("{}", edit.misfit()));
    let common = if file == COMMON { text.as_str() } else { sources.text(COMMON) };
    translate_with(file, &text, common, translate::GLSL_330).map(|_| ())
}

#[test]
fn every_bad_shader_is_refused_with_its_line() {
    let mut wrong = Vec::new();
    for mistake in BAD_SHADERS {
        let Mistake { edit, .. } = mistake;
        let file = edit.file.rsplit('/').next().unwrap();
        let Some((line, _)) = mistake.place(ShaderSources::built_in().text(file)) else {
            wrong.push(format!(
                "{}: no `{}` there; came {:?}",
                edit.name,
                mistake.at,
                saved(edit).map_err(|e| e.to_string())
            ));
            continue;
        };
        match saved(edit) {
            Err(error)
                if (error.file.as_str(), error.line) == (file, Some(line as u32))
                    && error.message.contains(edit.says) => {}
            Err(error) => wrong.push(format!("{}: line {line}, `{}`; came {error}", edit.name, edit.says)),
            Ok(()) => wrong.push(format!("{}: translated", edit.name)),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), BAD_SHADERS.len(), wrong.join("\n"));
    assert!(BAD_SHADERS.len() >= 30);
    for edit in GOOD_SHADERS {
        saved(edit).unwrap_or_else(|e| panic!("{}: {e}", edit.name));
    }
}
