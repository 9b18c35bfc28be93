/** Labels: how many and how long, for runners that have them and for jobs that ask for them. */
import { z } from "zod";

const maxOfPart = 63;
export const maxLabels = 50;
/** `key=value`, without the `!` that it may have before it. */
export const maxLabelChars = 2 * maxOfPart + 1;
/**
 * Of all that one job asks for, in UTF-8. They are part of a key of the queue's index (`job_attempts_queue`), and
 * PostgreSQL takes none of more than 2,704 bytes: the rest is for the other columns and for what it adds to each label.
 */
export const maxLabelsBytes = 2_000;

export const RunnerLabel = z
  .string()
  .regex(
    /^!?[A-Za-z0-9][A-Za-z0-9._-]{0,62}(=[A-Za-z0-9._/:-]{1,63})?$/,
    "A label is a word or key=value, with ! before it if jobs must ask for it. Words and keys: up to 63 letters, digits, dots, underscores and hyphens, beginning with a letter or digit. Values may also have slashes and colons.",
  )
  .describe(
    "A word, or `key=value`. Jobs may ask for `key=*`. With `!` before it, the runner only takes jobs that ask for it.",
  );
export const RunnerLabels = z.array(RunnerLabel).max(maxLabels);
