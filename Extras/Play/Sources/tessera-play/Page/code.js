// The state as a command and as programs, to copy.

// MARK: Programs

const typeOf = (name) => (facts.parameters.find((p) => p.name === name) || {}).type;
const setParameters = () => Object.entries(scenario().parameters).map(([name, value]) => {
  const type = typeOf(name), text = textOf(value);
  return { name, type, text, numbers: text.split(",").map(Number) };
});
// Settings besides parameters; the page has them as expressions or records.
function missing() {
  const given = scenario();
  const names = new Set([...Object.keys(given.lists), ...Object.keys(given.delegate)]);
  for (const section of given.sections || []) {
    for (const key of ["values", "itemValues"]) Object.keys(section[key]).forEach((n) => names.add(n));
  }
  return state.usesTable ? "the values of the table" : [...names].join(", ");
}

const programs = {
  "Command line": () => commandLine(),
  "Scenario": () => JSON.stringify(scenario(), null, 2),
  "Python": () => {
    const quote = JSON.stringify;
    const value = ({ type, text, numbers }) => type === "enum" ? quote(text)
      : type === "bool" ? (text === "true" ? "True" : "False")
      : numbers.length > 1 ? `(${numbers.join(", ")})` : text;
    const counts = state.counts.length === 1 ? `items=${state.counts[0]}` : `sections=[${state.counts.join(", ")}]`;
    const given = [quote(facts.id), counts, `bounds=(${state.bounds.join(", ")})`,
      ...setParameters().map((p) => `${p.name}=${value(p)}`)];
    if (state.scale !== undefined) given.push(`scale=${state.scale}`);
    if (state.direction) given.push('direction="rtl"');
    return ["import tessera_layout as tessera", "", "layout = tessera.layout(", ...given.map((one) => `    ${one},`), ")",
      ...(missing() ? [`# To set as well: ${missing()}`] : []),
      "for element in layout.visible:", "    print(element)"].join("\n");
  },
  "Swift": () => {
    const quote = JSON.stringify;
    const value = ({ type, text, numbers }) => {
      const [a, b, c, d] = numbers;
      return {
        enum: `.choice(${quote(text)})`, bool: `.bool(${text})`, integer: `.integer(${text})`,
        number: `.number(${text})`, size: `.size(Size(width: ${a}, height: ${b}))`,
        point: `.point(Point(x: ${a}, y: ${b}))`,
        rect: `.rect(Rect(x: ${a}, y: ${b}, width: ${c}, height: ${d}))`,
        insets: `.insets(Insets(top: ${a}, left: ${b}, bottom: ${c}, right: ${d}))`,
      }[type];
    };
    const [width, height] = state.bounds;
    return ["import TesseraHost", "", `let session = try Session(Host().engine(${quote(facts.id)}))`,
      `session.bounds = Size(width: ${width}, height: ${height})`,
      ...(state.scale !== undefined ? [`session.scale = ${state.scale}`] : []),
      ...(state.direction ? [`session.direction = .${state.direction}`] : []),
      `try session.setSections([${state.counts.join(", ")}])`,
      ...setParameters().map((p) => `try session.setParameter(${quote(p.name)}, to: ${value(p)})`),
      ...(missing() ? [`// To set as well: ${missing()}`] : []),
      "for element in try session.visibleElements() {", "  print(element.identity, element.frame)", "}"].join("\n");
  },
  "C": () => {
    const quote = JSON.stringify;
    const set = ({ name, type, text, numbers }) => {
      if (type === "enum") return `  tessera_session_set_parameter_choice(session, ${quote(name)}, ${quote(text)});`;
      const list = type === "bool" ? [text === "true" ? 1 : 0] : numbers;
      return `  tessera_session_set_parameter(session, ${quote(name)}, (const double[]){${list.join(", ")}}, ${list.length});`;
    };
    return ["#include <stdio.h>", "#include <tessera/tessera_host.h>", "", "int main(void) {",
      "  tessera_engines *engines = tessera_engines_create();", "  tessera_session *session = NULL;",
      `  if (tessera_session_create(engines, ${quote(facts.id)}, &session))`,
      '    return fprintf(stderr, "%s\\n", tessera_engines_message(engines)), 1;',
      `  const uint64_t sections[] = {${state.counts.join(", ")}};`,
      `  tessera_session_set_sections(session, sections, ${state.counts.length});`,
      `  tessera_session_set_bounds(session, ${state.bounds.join(", ")});`,
      ...(state.scale !== undefined ? [`  tessera_session_set_scale(session, ${state.scale});`] : []),
      ...(state.direction ? ["  tessera_session_set_direction(session, TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT);"] : []),
      ...setParameters().map(set),
      ...(missing() ? [`  // To set as well: ${missing()}`] : []),
      "  tessera_element elements[1000];", "  uint64_t count = 0;",
      "  if (tessera_session_query_viewport(session, elements, sizeof *elements, 1000, &count))",
      '    return fprintf(stderr, "%s\\n", tessera_session_message(session)), 1;',
      "  for (uint64_t i = 0; i < count && i < 1000; i++)",
      '    printf("%d: %g %g %g %g\\n", (int)elements[i].item, elements[i].x, elements[i].y, elements[i].width, elements[i].height);',
      "  tessera_session_destroy(session);", "  tessera_engines_destroy(engines);", "}"].join("\n");
  },
};

function showProgram() {
  if (byId("code").open && facts) byId("program").textContent = programs[byId("language").value]();
}

for (const language of Object.keys(programs)) child(byId("language"), "option", language);
byId("language").addEventListener("change", showProgram);
byId("code").addEventListener("toggle", showProgram);
byId("copy-program").addEventListener("click", () => {
  const text = byId("program").textContent;
  navigator.clipboard.writeText(text).then(() => badge("copied", "good"), () => showError(text));
});
