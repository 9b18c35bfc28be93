/** A line of source text, in pieces that have one colour each. */

export interface Piece {
  text: string;
  /** Of highlight.js, such as `hljs-keyword`; empty for plain text. */
  className: string;
}
export type CodeLine = readonly Piece[];
