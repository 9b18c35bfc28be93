/**
 * A table of records; on a phone each row becomes a card, with the columns' names beside the values. `dense`: its values stand
 * one after another there, so that a long list stays short.
 */
import type { ReactNode } from "react";
import styles from "./table.module.css";

export interface Column<T> {
  /** Empty for a column of buttons; then give `label`. */
  title: string;
  /** For screen readers where `title` is empty. */
  label?: string;
  cell: (row: T) => ReactNode;
  /** Numbers stand to the right. */
  align?: "end";
  /** Takes what room is left. */
  wide?: boolean;
  /** Its values need no name beside them in a dense row on a phone. */
  clear?: boolean;
}

export function Table<T>(props: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  dense?: boolean | undefined;
}) {
  return (
    <table className={styles.table} data-dense={props.dense}>
      <caption className="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th key={column.title || column.label} data-align={column.align} data-wide={column.wide}>
              {column.title || <span className="visually-hidden">{column.label}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={props.keyOf(row)} id={props.keyOf(row)}>
            {props.columns.map((column) => (
              <td
                key={column.title || column.label}
                data-align={column.align}
                data-title={column.title}
                data-wide={column.wide}
                data-clear={column.clear}
              >
                {column.wide ? column.cell(row) : <div className={styles.cell}>{column.cell(row)}</div>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
