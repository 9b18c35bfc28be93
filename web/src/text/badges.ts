/** Text of badges. */
export const text = {
  badge: "Badge",
  title: "Status badge",
  lead: "A picture for a README or a page elsewhere. It always shows how the branch stands now.",
  kind: "Shows",
  kinds: { pipeline: "The status of the newest commit", coverage: "How much tests cover" },
  branch: "Branch",
  privately: "Only those who may see the runs of this repository see the picture.",
  markdown: "Markdown",
  html: "HTML",
  image: "Address of the picture",
  docs: "How badges work",
} as const;
