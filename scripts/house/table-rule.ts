/** What `table-owners.ts` says about one table. */
export interface TableRule {
  /** Where no store of the owner writes it: what does. */
  writtenBy?: string;
  /** Other folders whose stores write it, and why. */
  alsoWrittenBy?: Readonly<Record<string, string>>;
  /** Domains above the owner's that read it. */
  readBy?: readonly string[];
  /** Domains that do not stand above the owner's and read it all the same: why. */
  alsoReadBy?: Readonly<Record<string, string>>;
}

export const only: TableRule = {};
export const accounts = "what a credential stands for is looked up in one statement at each request";
export const audit =
  "whoever records an entry cannot forget whose log it belongs to: the statement finds the organization";
