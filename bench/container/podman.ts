import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * crun, which podman takes by itself, refuses machines with cgroups of both versions; runc takes them.
 */
export const RUNTIME = ["/usr/sbin/runc", "/usr/bin/runc"].find((path) => existsSync(path));

/** Below what podman asks for by itself, which a root without CAP_SYS_RESOURCE may not set. */
const LIMITS = ["--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"];

/** @returns what it printed on both streams. @throws Error with that, where it fails */
export async function podman(...args: string[]): Promise<string> {
  const runtime = RUNTIME ? ["--runtime", RUNTIME] : [];
  const { stdout, stderr } = await run("podman", [...runtime, ...args], { maxBuffer: MAX_OUTPUT_BYTES });
  return stdout + stderr;
}

/** As `podman`; false where it fails. */
export const succeeds = (...args: string[]): Promise<boolean> =>
  podman(...args).then(
    () => true,
    () => false,
  );

/** A container that runs. */
export interface Container {
  name: string;
  /** Of its first process, as the machine sees it. */
  pid: number;
  readLog(): Promise<string>;
  /** Runs a command in it. @returns whether it succeeded, and what it printed */
  try(...command: string[]): Promise<{ isGood: boolean; output: string }>;
  /** Runs the image's health check as often as it takes to be sure. @returns `healthy` or `unhealthy` */
  checkHealth(): Promise<string>;
  /** SIGTERM, then SIGKILL after `limitS`. @returns its exit code and milliseconds */
  stop(limitS: number): Promise<{ code: number; ms: number }>;
  remove(): Promise<void>;
}

/** Starts one as compose.yaml does: nothing but /tmp and its volume to write to, no capabilities, in the machine's network. */
export async function startContainer(
  name: string,
  image: string,
  { env, volumes }: { env: Readonly<Record<string, string>>; volumes: readonly string[] },
): Promise<Container> {
  await podman(
    ...["run", "--detach", "--name", name, "--network", "host", "--read-only", "--read-only-tmpfs=false"],
    ...["--tmpfs", "/tmp:size=256m", "--cap-drop", "all", "--security-opt", "no-new-privileges"],
    ...["--log-driver", "k8s-file", "--init=false", ...LIMITS],
    ...volumes.flatMap((volume) => ["--volume", volume]),
    ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    image,
  );
  const inspect = async (format: string) => Number(await podman("inspect", "--format", format, name));
  return {
    name,
    pid: await inspect("{{.State.Pid}}"),
    readLog: () => podman("logs", name),
    try: (...command) =>
      podman("exec", name, ...command).then(
        (output) => ({ isGood: true, output }),
        ({ stdout, stderr }: { stdout: string; stderr: string }) => ({
          isGood: false,
          output: stdout + stderr,
        }),
      ),
    async checkHealth() {
      // Without systemd nothing runs it by the clock.
      await succeeds("healthcheck", "run", name);
      return (await podman("inspect", "--format", "{{.State.Health.Status}}", name)).trim();
    },
    async stop(limitS) {
      const begin = performance.now();
      await podman("stop", "--time", String(limitS), name);
      return { ms: performance.now() - begin, code: await inspect("{{.State.ExitCode}}") };
    },
    async remove() {
      await podman("rm", "--force", "--volumes", name);
    },
  };
}
