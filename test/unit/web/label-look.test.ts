/** How labels and days of milestones look: parts of names as the server tells scopes, ink that can be read, and what is overdue. */
import { expect, test } from "vitest";
import { labelColors } from "@forgeline/schemas/labels/resource.ts";
import { scopeOf } from "@forgeline/server/domains/collaboration/labels/scopes.ts";
import { inkOn, partsOf } from "../../../web/src/features/labels/label-look.ts";
import { isOverdue } from "../../../web/src/features/milestones/is-overdue.ts";

test.each(["bug", "priority::high", "team::web::forms", "::high", "priority::", "a:b", " ::x", "a ::b"])(
  "%j has the scope that the server shows",
  (name) => {
    const [scope, rest] = partsOf(name);
    expect(scope).toBe(scopeOf(name));
    expect(rest).toBe(scope === null ? name : name.slice(name.lastIndexOf("::") + 2));
  },
);

const contrast = (color: string, ink: string) => {
  const luminance = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [0, 2, 4]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high = 0, low = 0] = [luminance(color), luminance(ink.slice(1))].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};

test.each([...labelColors, "000000", "ffffff", "777777", "757575", "ff0000", "0000ff"])(
  "the ink on %s can be read",
  (color) => {
    expect(contrast(color, inkOn(color))).toBeGreaterThanOrEqual(4.5);
  },
);

test.each([
  ["2026-11-29", true],
  ["2026-11-30", false],
  ["2026-12-01", false],
  ["2025-12-31", true],
  ["2027-01-01", false],
  [null, false],
])("due on %s is overdue on 30 November 2026: %s", (dueOn, overdue) => {
  expect(isOverdue(dueOn, new Date(2026, 10, 30, 12).getTime())).toBe(overdue);
});
