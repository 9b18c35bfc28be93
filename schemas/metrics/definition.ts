/** What is said of a metric where it is declared. */
export interface MetricDefinition {
  /** Counters end in `_total`, histograms in their unit. */
  type: "counter" | "gauge" | "histogram";
  /** One sentence, with the values of labels where they are not obvious. */
  help: string;
  labels?: readonly string[];
  /** Upper limits, of histograms alone. */
  buckets?: readonly number[];
  /** Counted in transactions of the database, and only once these are committed (`Transaction.count`). */
  onCommit?: true;
}

export type MetricDefinitions = Readonly<Record<`forgeline_${string}`, MetricDefinition>>;
