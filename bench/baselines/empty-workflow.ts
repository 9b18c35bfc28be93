/** A workflow that decides nothing: as many local activities as a run of one job has, one after the other. */
import { proxyLocalActivities } from "@temporalio/workflow";

const { nothing } = proxyLocalActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: "15 s" });

export async function empty(activities: number): Promise<void> {
  for (let i = 0; i < activities; i++) await nothing();
}
