/** The order of jobs that wait for a runner, as an author writes it. */
import { z } from "zod";

export const lowestPriority = -100;
export const highestPriority = 100;

const wanted = `a whole number from ${lowestPriority} to ${highestPriority}, or an expression`;
/** What it gives is judged when it is known. */
const expression = z.string().regex(/^\s*\$\{\{[\s\S]*\}\}\s*$/, wanted);
// Not `z.int()`: a fraction is of the right kind, so that its author is not told of text.
const number = z.number().multipleOf(1, wanted).min(lowestPriority).max(highestPriority);

export const FilePriority = z.union([number, expression]).meta({
  id: "priority",
  description:
    "Place in the queue of the repository, from -100 to 100 or an expression: the higher, the earlier. Default 0, or -10 in runs that a schedule or a sync started.",
});
