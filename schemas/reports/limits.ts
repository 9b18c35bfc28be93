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
/** Of one in the form of SARIF, which is read as a whole. */
export const maxSarifBytes = 10 * mib;
/** Of all that a job reports. */
export const maxReportsBytes = 64 * mib;
/** Of all kinds together; some tools write one for each class. */
export const maxReportFiles = 2_000;
/** Of what a runner brings: the reports, their list and what holds them together. */
export const maxUploadBytes = maxReportsBytes + 8 * mib;
export const maxUploadFiles = maxReportFiles + 1;
/** Of all test reports of one job together. */
export const maxJobTests = 20_000;
/** Of them, failed ones that are kept with all that they printed; of the others with their message alone. */
export const maxTestsWithDetails = 500;
/** Of all coverage reports of one job together. */
export const maxCoverageFiles = 20_000;
/** Different ones of a repository. */
export const maxRepositoryTests = 200_000;
/** Results of tests that a repository can have before the oldest are removed early. */
export const maxRepositoryResults = 2_000_000;
/** Told of one job; what is wrong with the others is most often the same. */
export const maxReportProblems = 50;

export const maxMessageChars = 4_000;
export const maxTitleChars = 200;
export const maxTestNameChars = 500;
export const maxTestMessageChars = 1_000;
export const maxDetailsChars = 8_000;
export const maxReasonChars = 500;
export const maxPathChars = 1_024;
