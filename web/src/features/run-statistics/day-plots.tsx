/** The plots over days. In a file of its own, with the library that draws them. */
import type { ReactElement } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { dayNames, roughText, text, tookText } from "../../text/run-statistics.ts";
import { formatCount } from "../../ui/size.ts";
import styles from "./run-statistics.module.css";

type Day = Schemas["DayOfRuns"];
const tick = { fill: "var(--ink-soft)", fontSize: 12 };
const short = new Intl.NumberFormat("en", { notation: "compact" });

export function OutcomesPlot({ days }: { days: readonly Day[] }) {
  const data = days.map((day) => ({
    ...day,
    broken: day.failed + day.errors,
    other: day.cancelled + day.skipped,
  }));
  return (
    <Plot
      data={data}
      ticks={short.format}
      isWhole
      lines={({ succeeded, failed, errors, cancelled, skipped }) => [
        `${text.succeeded}: ${formatCount(succeeded)}`,
        `${text.failed}: ${formatCount(failed + errors)}`,
        `${text.other}: ${formatCount(cancelled + skipped)}`,
      ]}
    >
      {bar("succeeded", "var(--good)", "runs")}
      {bar("broken", "var(--bad)", "runs")}
      {bar("other", "var(--line-strong)", "runs")}
    </Plot>
  );
}

export function DurationsPlot({ days }: { days: readonly Day[] }) {
  const data = days.map((day) => ({
    ...day,
    half: day.duration?.p50 ?? 0,
    more: (day.duration?.p90 ?? 0) - (day.duration?.p50 ?? 0),
  }));
  return (
    <Plot
      data={data}
      ticks={roughText}
      lines={({ duration }) =>
        duration === null
          ? [text.none]
          : [`${text.duration} ${tookText(duration.p50)}`, `${text.most} ${tookText(duration.p90)}`]
      }
    >
      {bar("half", "var(--accent)", "time")}
      {bar("more", "var(--line-strong)", "time")}
    </Plot>
  );
}

export function MinutesPlot({ days }: { days: readonly Day[] }) {
  return (
    <Plot
      data={days}
      ticks={short.format}
      lines={({ runner_minutes: minutes }) => [`${text.minutes}: ${text.minutesOf(minutes)}`]}
    >
      {bar("runner_minutes", "var(--accent)", "minutes")}
    </Plot>
  );
}

/** No component: Recharts looks for bars among the children themselves. */
function bar(of: string, fill: string, stack: string): ReactElement {
  return <Bar key={of} dataKey={of} stackId={stack} fill={fill} isAnimationActive={false} />;
}

function Plot({
  data,
  ticks,
  isWhole = false,
  lines,
  children,
}: {
  data: readonly Day[];
  ticks(value: number): string;
  /** There is nothing between two whole numbers. */
  isWhole?: boolean;
  lines(day: Day): readonly string[];
  children: ReactElement | readonly ReactElement[];
}) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={data} accessibilityLayer={false} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="day"
          tickFormatter={dayNames.short}
          tick={tick}
          tickLine={false}
          stroke="var(--line-strong)"
          minTickGap={36}
        />
        <YAxis
          tickFormatter={ticks}
          allowDecimals={!isWhole}
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={72}
        />
        <Tooltip
          cursor={{ fill: "var(--hover)" }}
          isAnimationActive={false}
          content={({ active, payload }) => {
            // Recharts hands on what it was given, untyped.
            const day = active ? (payload[0]?.payload as Day | undefined) : undefined;
            return day ? (
              <div className={styles.hint}>
                <strong>{dayNames.full(day.day)}</strong>
                {lines(day).map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </div>
            ) : null;
          }}
        />
        {children}
      </BarChart>
    </ResponsiveContainer>
  );
}
