/** The rule `house/max-span` bites where a function is too long as a whole, whatever it consists of. */
import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";
import { maxSpan } from "../../../../scripts/lint/max-span.ts";

RuleTester.describe = describe;
RuleTester.it = it;

const options = [{ max: 5 }];
const statements = (count: number) => "  act();\n".repeat(count);

new RuleTester({ languageOptions: { parserOptions: { lang: "ts" } } }).run("max-span", maxSpan, {
  valid: [
    { name: "as many as may be", code: `function f() {\n${statements(3)}}`, options },
    { name: "150 without options", code: `function f() {\n${statements(148)}}` },
    {
      name: "blank lines and comments",
      code: `function f() {\n${statements(2)}\n\n  // why\n  /*\n   * why\n   */\n${statements(1)}}`,
      options,
    },
    {
      name: "several beside each other",
      code: `function f() {\n${statements(3)}}\nfunction g() {\n${statements(3)}}`,
      options,
    },
    {
      name: "a class of several methods",
      code: `class A {\n  a() {\n${statements(3)}}\n  b() {\n${statements(3)}}\n}`,
      options,
    },
  ],
  invalid: [
    {
      name: "a declared function, by its name",
      code: `function f() {\n${statements(4)}}`,
      options,
      errors: [{ message: /^f spans 6 lines, and 5 are the maximum/ }],
    },
    { name: "151 without options", code: `function f() {\n${statements(149)}}`, errors: 1 },
    {
      name: "a factory, and not the functions inside it",
      code: `const create = () => {\n  function a() {\n${statements(2)}  }\n  return { b() {\n${statements(2)}  } };\n};`,
      options,
      errors: [{ message: /^create spans 10/ }],
    },
    {
      name: "a function without a name",
      code: `each(() => {\n${statements(4)}});`,
      options,
      errors: [{ message: /^This function spans 6/ }],
    },
  ],
});
