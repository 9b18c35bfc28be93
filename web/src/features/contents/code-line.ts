/** A line of source text, in pieces with their colours. */

export interface Piece {
  text: string;
  /** Of highlight.js, such as `hljs-keyword`; empty for plain text. */
  className: string;
}
export type CodeLine = readonly Piece[];
