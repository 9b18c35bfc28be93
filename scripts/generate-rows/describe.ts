/** Asks PostgreSQL what a statement returns, without running it. */
import type pg from "pg";

export interface ReturnedColumn {
  name: string;
  /** Oid. */
  type: number;
}

/** What is used of pg's connection to PostgreSQL, which its types do not declare. */
interface Connection {
  parse(message: { name: string; text: string; types: number[] }): void;
  describe(message: { type: "S"; name: string }): void;
  sync(): void;
}

interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[];
}

/** None for a statement that returns nothing. Rejects when it cannot be prepared. */
export function describe(client: pg.Client, text: string): Promise<ReturnedColumn[]> {
  return new Promise((resolve, reject) => {
    let columns: ReturnedColumn[] = [];
    const request = {
      submit(connection: Connection) {
        connection.parse({ name: "", text, types: [] });
        connection.describe({ type: "S", name: "" });
        connection.sync();
      },
      handleRowDescription({ fields }: RowDescription) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    };
    client.query(request as unknown as pg.Submittable);
  });
}
