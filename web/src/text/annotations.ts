/** Words of what jobs note at lines of a file. */

export const text = {
  levels: { error: "Error", warning: "Warning", notice: "Notice" },
  from: (run: number, job: string) => `#${run} · ${job}`,
  onlyFirst: (count: number) => `Only the first ${count} annotations are shown.`,
} as const;
