/** Messages about what a repair found and did. */
export type FindingKind =
  | "push_settled"
  | "refs_recorded"
  | "refs_broken"
  | "repository_unreadable"
  | "directory_missing"
  | "directory_unclaimed"
  | "push_mirror_paused"
  | "log_lost"
  | "lfs_lost"
  | "lfs_recorded"
  | "objects_unnamed"
  | "audit_rewound"
  | "audit_differs";

export interface Finding {
  kind: FindingKind;
  /** What it is about, for example `ada/hello`. */
  subject: string;
  /** A sentence that says what was found and what was done about it. */
  text: string;
}

/** How often each kind was found. */
export function countKinds(findings: readonly Finding[]): Partial<Record<FindingKind, number>> {
  const counts: Partial<Record<FindingKind, number>> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The findings as a text file for operators. */
export function renderFindings(findings: readonly Finding[], at: Date): string {
  const head = `Repair of ${at.toISOString()}: ${findings.length} difference(s) between database, repositories and objects`;
  const lines = findings.map(({ kind, subject, text }) => `${kind}  ${subject}: ${text}`);
  return `${[head, ...lines].join("\n")}\n`;
}
