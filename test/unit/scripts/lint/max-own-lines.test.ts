/** The rule `house/max-own-lines` bites where a function says too much itself, and nowhere else. */
import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";
import { maxOwnLines } from "../../../../scripts/lint/max-own-lines.ts";

RuleTester.describe = describe;
RuleTester.it = it;

const options = [{ max: 3 }];
const statements = (count: number, indent = "  ") => `${indent}act();\n`.repeat(count);

new RuleTester({ languageOptions: { parserOptions: { lang: "ts" } } }).run("max-own-lines", maxOwnLines, {
  valid: [
    { name: "as many as may be", code: `function f() {\n${statements(3)}}`, options },
    { name: "40 without options", code: `function f() {\n${statements(40)}}` },
    {
      name: "blank lines and comments",
      code: `function f() {\n${statements(2)}\n\n  // why\n  /*\n   * why\n   */\n${statements(1)}}`,
      options,
    },
    {
      name: "a factory of methods, arrows and declared functions",
      code: [
        "export function createThing() {",
        `  function first() {\n${statements(3)}  }`,
        `  const second = () => {\n${statements(3)}  };`,
        `  return { third() {\n${statements(3)}  }, fourth: async () => {\n${statements(3)}  } };`,
        "}",
      ].join("\n"),
      options,
    },
    {
      name: "methods of a class",
      code: `class A {\n  a() {\n${statements(3)}}\n  b() {\n${statements(3)}}\n}`,
      options,
    },
    {
      name: "a signature over many lines",
      code: `function f(\n  a,\n  b,\n  c,\n  d,\n) {\n${statements(1)}}`,
      options,
    },
  ],
  invalid: [
    {
      name: "a declared function, by its name",
      code: `function f() {\n${statements(4)}}`,
      options,
      errors: [{ message: /^f has 4 lines of its own/ }],
    },
    { name: "40 without options", code: `function f() {\n${statements(41)}}`, errors: 1 },
    {
      name: "an arrow",
      code: `const f = () => {\n${statements(4)}};`,
      options,
      errors: [{ message: /^f has 4/ }],
    },
    {
      name: "an expression over many lines",
      code: `const f = () => [\n${"  1,\n".repeat(4)}];`,
      options,
      errors: [{ message: /^f has 6/ }],
    },
    {
      name: "a method inside a factory, and not the factory",
      code: `function create() {\n  return { run() {\n${statements(4)}  } };\n}`,
      options,
      errors: [{ message: /^run has 4/ }],
    },
    {
      name: "a method of a class",
      code: `class A {\n  run() {\n${statements(4)}  }\n}`,
      options,
      errors: [{ message: /^run has 4/ }],
    },
    {
      name: "callbacks belong to the function around them",
      code: `function f() {\n  each(() => {\n${statements(2)}  });\n}`,
      options,
      errors: [{ message: /^f has 4/ }],
    },
    {
      name: "a callback outside of every function",
      code: `each(() => {\n${statements(4)}});`,
      options,
      errors: [{ message: /^This function has 4/ }],
    },
    {
      name: "text over many lines",
      code: "function f() {\n  return `\n\n\n`;\n}",
      options,
      errors: [{ message: /^f has 4/ }],
    },
  ],
});
