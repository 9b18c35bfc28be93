/** Loads what converts files, which other commands do not wait for; installed packages have it in a file of its own. */
type Converter = typeof import("../../convert/convert-files.ts");
export type ConvertedFile = Exclude<
  Awaited<ReturnType<Converter["convertFiles"]>>,
  { problem: string }
>[number];

export function loadConverter(): Promise<Converter> {
  return import("../../convert/convert-files.ts");
}
