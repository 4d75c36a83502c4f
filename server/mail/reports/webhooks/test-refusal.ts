import { ReportRefusedError } from "../report-source.ts";

/** The status with which a report is refused. @throws Error when it is taken, or fails in another way */
export async function toRefusal(report: Promise<unknown>): Promise<number> {
  const thrown = await report.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof ReportRefusedError) return thrown.status;
  throw new Error("The report was not refused.", { cause: thrown });
}
