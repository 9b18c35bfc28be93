/** Puts year and holder into a licence, where its text has places for them. */

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

/** Texts that name somebody else where others have a place for the holder. */
const wholeLines: Record<string, RegExp> = {
  ISC: /^Copyright \(c\) .*(?:\n+Copyright \(c\) .*)*$/m,
  "0BSD": /^Copyright \(C\) YEAR by AUTHOR EMAIL$/m,
};

/** Licences whose placeholders stand in advice to readers, and whose text may not be changed. */
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
