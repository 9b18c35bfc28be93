/** Words of the timeline of a run, which is fetched when somebody opens it. */
export const words = {
  phases: { waiting: "Waiting", queue: "Queue", setup: "Image and set-up", run: "Run" },
  phaseTook: (phase: string, span: string) => `${phase}: ${span}`,
} as const;
