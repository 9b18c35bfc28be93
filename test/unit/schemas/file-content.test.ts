import { expect, test } from "vitest";
import { fileContent } from "@forgeline/schemas/contents/file-content.ts";

const problem = (text: string) => fileContent.safeParse(text).error?.issues.map(({ message }) => message);

test.each(["", "QUI=", "QQ==", "QUJD", "QUJD\r\nQUJD\n", "+/+/"])("%j is base64", (text) => {
  expect(problem(text)).toBeUndefined();
});

test.each(["QUJ", "not base64!", "QUI=QUJD", "====", "QU-_", " QUJD"])("%j is not", (text) => {
  expect(problem(text)).toEqual(["The content is not padded base64."]);
});

test("10 MiB is the most that it holds, whatever the padding and the lines", () => {
  const max = 10 * 1024 * 1024;
  const encoded = (size: number) => Buffer.alloc(size).toString("base64");
  for (const size of [max - 2, max - 1, max]) expect(problem(encoded(size))).toBeUndefined();
  expect(problem(`${encoded(max)}\n\n`)).toBeUndefined();
  expect(problem(encoded(max + 1))).toEqual(["A file can be at most 10 MiB."]);
});
