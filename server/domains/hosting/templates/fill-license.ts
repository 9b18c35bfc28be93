/** Fills in year and holder in a license, if its text has placeholders for them. */

export interface LicenseHolder {
  name: string;
  year: number;
}

const year = /\[xxxx\]-\[xxxx\]|<(?:year|yyyy)>|\[(?:year|yyyy)\]|\{(?:year|yyyy)\}/gi;
const holders = [
  "copyright holders?",
  "owner",
  "owner organization(?: name)?",
  "holders",
  "name of copyright (?:owner|holder)",
  "name of author",
  "name of author or copyright holder",
  "fullname",
  "author's name or designee",
].join("|");
const holder = new RegExp(`<(?:${holders})>|\\[(?:${holders})\\]|\\{(?:${holders})\\}`, "gi");

/** Licenses that name a fixed holder instead of a placeholder. */
const wholeLines: Record<string, RegExp> = {
  ISC: /^Copyright \(c\) .*(?:\n+Copyright \(c\) .*)*$/m,
  "0BSD": /^Copyright \(C\) YEAR by AUTHOR EMAIL$/m,
};

/** Licenses with placeholders in advice to readers only, and whose text must not be changed. */
const untouched = /^(?:[AL]?GPL|GFDL)-/;

export function fillLicense(id: string, text: string, by: LicenseHolder): string {
  const plain = `${text.replaceAll("\r\n", "\n").trim()}\n`;
  if (untouched.test(id)) return plain;
  const line = wholeLines[id];
  if (line) return plain.replace(line, () => `Copyright (c) ${by.year} ${by.name}`);
  return plain
    .split("\n")
    .map((each) =>
      /copyright|\(c\)|©/i.test(each)
        ? each.replaceAll(year, String(by.year)).replaceAll(holder, () => by.name)
        : each,
    )
    .join("\n");
}
