/** Text of badges. */
export const text = {
  badge: "Badge",
  title: "Status badge",
  lead: "A picture for a README or a page elsewhere. It always shows how the newest commit of the branch stands.",
  branch: "Branch",
  privately: "Only those who may see the runs of this repository see the picture.",
  alt: "pipeline",
  markdown: "Markdown",
  html: "HTML",
  image: "Address of the picture",
  docs: "How badges work",
} as const;
