/** The options that containers are made with, as the runner's threat model lists them. */
import { pageTable } from "./page-table.ts";

const page = new URL("../../docs/architecture/job-isolation.md", import.meta.url);

export type ListedValue =
  | { is: "exactly"; value: unknown }
  /** Another option's. */
  | { is: "as"; option: string }
  | { is: "varies"; words: string };

export interface ListedOption {
  /** Those of `HostConfig` by their path: `HostConfig.CapDrop`. */
  option: string;
  value: ListedValue;
  /** null: all. */
  kinds: readonly string[] | null;
  /** Whether these kinds always have it. */
  isAlways: boolean;
}

/** Throws where a cell is not in the words of the table. */
export function listedOptions(): ListedOption[] {
  return pageTable(page, ["Option", "Value", "Of which containers"]).flatMap((row) => {
    const value = readValue(row.Value);
    const kinds = readKinds(row["Of which containers"]);
    return readNames(row.Option).map((option) => ({ option, value, ...kinds }));
  });
}

/** `varies: …`, an option as another one, or JSON; after the last two may come what it means, in brackets. */
function readValue(cell: string): ListedValue {
  const words = /^varies: (.+)$/.exec(cell)?.[1];
  if (words !== undefined) return { is: "varies", words };
  const [, as, code] = /^(as )?`([^`]+)`(?: \([^()]+\))?$/.exec(cell) ?? [];
  if (code === undefined) throw new Error(`not a value of an option: ${cell}`);
  return as === undefined ? { is: "exactly", value: JSON.parse(code) } : { is: "as", option: code };
}

function readKinds(cell: string): Pick<ListedOption, "kinds" | "isAlways"> {
  if (cell === "all") return { kinds: null, isAlways: true };
  const inBrackets = /^\((.+)\)$/.exec(cell)?.[1];
  return { kinds: readNames(inBrackets ?? cell), isAlways: inBrackets === undefined };
}

/** `A`, `B`, … */
function readNames(cell: string): string[] {
  return cell.split(", ").map((each) => {
    const name = /^`([\w.]+)`$/.exec(each)?.[1];
    if (name === undefined) throw new Error(`not a name: ${each}`);
    return name;
  });
}
