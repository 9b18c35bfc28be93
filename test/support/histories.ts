/** Histories of workflows as JSON and back. */
import proto from "@temporalio/proto";

const { History } = proto.temporal.api.history.v1;
export type History = proto.temporal.api.history.v1.IHistory;

export function historyToText(history: History): string {
  return JSON.stringify(
    History.toObject(History.fromObject(history), { enums: String, longs: String, bytes: String }),
  );
}

export function historyFromText(text: string): History {
  return History.fromObject(JSON.parse(text) as Record<string, unknown>);
}
