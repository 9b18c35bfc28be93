/** What is said of cron lines that are refused. */
import { cronProblem } from "@forgeline/compiler/cron-problem.ts";
import { readCron } from "@forgeline/compiler/cron.ts";
import { expect, test } from "vitest";

const form = "A cron line has five fields: minute, hour, day of month, month, day of week";

test.each([
  ["0 25 * * *", "The hour must be 0 to 23, not 25."],
  ["60 * * * *", "The minute must be 0 to 59, not 60."],
  ["0 0 0 * *", "The day of month must be 1 to 31, not 0."],
  ["0 0 L * *", "The day of month must be 1 to 31, not L."],
  ["0 0 * FOO *", "The month must be 1 to 12 or JAN to DEC, not FOO."],
  ["0 0 * 1,13 *", "The month must be 1 to 12 or JAN to DEC, not 13."],
  ["0 0 * * MONDAY", "The day of week must be 0 to 7 or SUN to SAT, not MONDAY."],
  ["0 0 * * FRI-SUN,8", "The day of week must be 0 to 7 or SUN to SAT, not 8."],
  ["FOO 25 * * *", "The minute must be 0 to 59, not FOO."],
  ["1- * * * *", "The minute must be 0 to 59, not 1-."],
  ["** * * * *", "The minute must be 0 to 59, not **."],
  ["5-1 * * * *", "The minute must not go backwards: 5-1."],
  ["0 0 * * FRI-MON", "The day of week must not go backwards: FRI-MON."],
  ["*/0 * * * *", "The minute is not understood: */0. A range is 1-5, a step */2 or 1-5/2."],
  ["0 5/2 * * *", "The hour has a step without a range: 5/2. Write 5-23/2 or */2."],
  ["1,,2 * * * *", "The minute has a comma with nothing before or after it."],
  ["0 0 30 2 *", "This never comes: there is no such day."],
  ["0 3 * *", `${form}; this one has 4.`],
  ["0 0 3 * * *", `${form}; this one has 6.`],
  ["  ", `${form}; this one has none.`],
  ["@daily", "@daily is not supported: write 0 0 * * *."],
  ["@Hourly", "@Hourly is not supported: write 0 * * * *."],
  ["@reboot", `@reboot is not supported. ${form}.`],
])("%j: %s", (line, problem) => {
  expect([readCron(line), cronProblem(line)]).toEqual([undefined, problem]);
});
