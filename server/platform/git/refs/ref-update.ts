/** One ref that moved. All zeros stand for "not there": before a ref was made, after it was deleted. */
export interface RefUpdate {
  ref: string;
  before: string;
  after: string;
}
