/** The plots over weeks. In a file of its own, with the library that draws them. */
import type { ReactElement } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text, weekNames } from "../../text/statistics.ts";
import { formatCount } from "../../ui/size.ts";
import styles from "./statistics.module.css";

type Week = Schemas["WeekOfCommits"];
const short = new Intl.NumberFormat("en", { notation: "compact" });
const tick = { fill: "var(--ink-soft)", fontSize: 12 };
const maxWeeksWithDays = 20;

export function CommitsPlot({ weeks }: { weeks: readonly Week[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={weeks} accessibilityLayer={false} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        {frame(weeks)}
        <Tooltip
          cursor={{ fill: "var(--hover)" }}
          isAnimationActive={false}
          content={({ active, payload }) => {
            const week = active ? weekOf(payload) : undefined;
            return week ? (
              <Hint title={weekNames.full(week.week)} lines={[text.commitCount(week.commits)]} />
            ) : null;
          }}
        />
        <Bar dataKey="commits" fill="var(--accent)" radius={[2, 2, 0, 0]} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}

/** Added lines upwards, deleted ones downwards. */
export function LinesPlot({ weeks }: { weeks: readonly Week[] }) {
  const data = weeks.map((week) => ({ ...week, below: -week.deletions }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={data}
        stackOffset="sign"
        accessibilityLayer={false}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      >
        {frame(weeks)}
        <Tooltip
          cursor={{ fill: "var(--hover)" }}
          isAnimationActive={false}
          content={({ active, payload }) => {
            const week = active ? weekOf(payload) : undefined;
            return week ? (
              <Hint
                title={weekNames.full(week.week)}
                lines={[`+${formatCount(week.additions)}`, `−${formatCount(week.deletions)}`]}
              />
            ) : null;
          }}
        />
        <ReferenceLine y={0} stroke="var(--line-strong)" />
        <Bar dataKey="additions" stackId="lines" fill="var(--good)" isAnimationActive={false} />
        <Bar dataKey="below" stackId="lines" fill="var(--bad)" isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}

/** Recharts looks for axes among the children themselves. */
function frame(weeks: readonly Week[]): ReactElement[] {
  const name = weeks.length > maxWeeksWithDays ? weekNames.month : weekNames.short;
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--line)" />,
    <XAxis
      key="x"
      dataKey="week"
      tickFormatter={name}
      tick={tick}
      tickLine={false}
      stroke="var(--line-strong)"
      minTickGap={36}
    />,
    <YAxis
      key="y"
      allowDecimals={false}
      tickFormatter={(value: number) => short.format(Math.abs(value))}
      tick={tick}
      tickLine={false}
      axisLine={false}
      width={44}
    />,
  ];
}

/** Recharts hands on what it was given, untyped. */
function weekOf(payload: readonly { payload?: unknown }[] | undefined): Week | undefined {
  return payload?.[0]?.payload as Week | undefined;
}

function Hint({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div className={styles.hint}>
      <strong>{title}</strong>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}
