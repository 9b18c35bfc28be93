/** How much a job can report, and how much of it is kept. */
const mib = 1024 * 1024;

/** Of the summaries of all steps of a job together. */
export const maxSummaryBytes = mib;
/** Of what one step writes to `$CI_ANNOTATIONS`. */
export const maxAnnotationFileBytes = 512 * 1024;
/** Of one step. */
export const maxStepAnnotations = 100;
/** Of one job: of all its steps and reports together. */
export const maxJobAnnotations = 1_000;
/** Of one report, of whatever kind. */
export const maxReportBytes = 20 * mib;
/** Of all that a job reports. */
export const maxReportsBytes = 64 * mib;
/** Of all kinds together; some tools write one for each class. */
export const maxReportFiles = 2_000;
/** Of what a runner brings: the reports, their list and what holds them together. */
export const maxUploadBytes = maxReportsBytes + 8 * mib;
export const maxUploadFiles = maxReportFiles + 1;
/** Told of one job; what is wrong with the others is most often the same. */
export const maxReportProblems = 50;

export const maxMessageChars = 4_000;
export const maxTitleChars = 200;
export const maxPathChars = 1_024;
