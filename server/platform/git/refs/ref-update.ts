/** One update of a ref. All zeros mean "does not exist": before a ref is created, and after it is deleted. */
export interface RefUpdate {
  ref: string;
  before: string;
  after: string;
}
