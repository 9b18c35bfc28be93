/** Rules of the house that no linter has: a plugin that `.oxlintrc.json` names. */
import { maxOwnLines } from "./max-own-lines.ts";
import { maxSpan } from "./max-span.ts";

const house = { meta: { name: "house" }, rules: { "max-own-lines": maxOwnLines, "max-span": maxSpan } };

// oxlint-disable-next-line import/no-default-export -- oxlint takes a plugin from nowhere else
export default house;
