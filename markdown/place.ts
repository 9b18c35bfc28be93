/** Where a text stands: what short references in it mean. */
export interface TextPlace {
  /** `owner/name` of the repository that `#12` and ids of commits belong to; none for texts of organizations. */
  repository?: string | undefined;
  /** At which `path#L3` is; the default branch if it is not said. */
  ref?: string | undefined;
  /** Address of this instance (`https://host`), so that full addresses count as references. */
  instance?: string | undefined;
  /** Whether `#12`, `!34`, `@ada` and ids of commits become links. They do not in files, as at GitHub. */
  references?: boolean | undefined;
  /** Keeps apart the ids of several texts on one page: letters, digits and hyphens. */
  textId?: string | undefined;
}
