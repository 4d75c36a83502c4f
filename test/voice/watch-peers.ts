import type { BrowserContext } from "playwright-core";

/** A page of Playwright, or of `test/e2e/raw-browser.ts`. */
interface Evaluating {
  evaluate<Result, Argument>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;
}

/** What is read of a page's connections (W3C webrtc-stats), of those that are open. */
export interface PeerFigures {
  /** How many connections are in use. */
  count: number;
  packetsSent: number;
  packetsReceived: number;
  /** Types of the local candidates in use, one for each connection: `relay` where the own address is hidden. */
  paths: string[];
}

interface Watched {
  peers: Set<RTCPeerConnection>;
  /** One for each output of the page: what its loudspeaker gets. */
  outputs: AnalyserNode[];
  /** Loudness of the microphone's tone: 0 is silence. */
  loudness: number;
  voices: GainNode[];
}

type WatchedWindow = Window & { foyerWatched: Watched };

/** Bins of 6 Hz. */
const FFT_SIZE = 8192;

/**
 * Runs in the page before everything else. Connections are remembered until they are closed; what goes to the loudspeaker is
 * tapped; and the microphone gives one steady tone, by which this person is known at every receiver.
 */
function prepareWindow({ tone, fftSize }: { tone: number | undefined; fftSize: number }): void {
  const peers = new Set<RTCPeerConnection>();
  const outputs: AnalyserNode[] = [];
  const watched: Watched = { peers, outputs, loudness: 0.3, voices: [] };
  (window as unknown as WatchedWindow).foyerWatched = watched;

  const Original = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      peers.add(this);
    }
    override close(): void {
      peers.delete(this);
      super.close();
    }
  };

  const connect = AudioNode.prototype.connect as (this: AudioNode, ...targets: unknown[]) => unknown;
  AudioNode.prototype.connect = function (this: AudioNode, ...targets: unknown[]) {
    if (targets[0] instanceof AudioDestinationNode) {
      const analyser = this.context.createAnalyser();
      analyser.fftSize = fftSize;
      analyser.smoothingTimeConstant = 0;
      connect.call(this, analyser);
      outputs.push(analyser);
    }
    return connect.apply(this, targets);
  } as typeof AudioNode.prototype.connect;

  if (tone === undefined) return;
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints) => {
    // The browser's own leave; the sound is ours.
    const stream = await ask(constraints);
    if (!constraints?.audio) return stream;
    for (const track of stream.getTracks()) track.stop();
    // Without an output of its own: eight people in one machine have enough of them.
    const context = new AudioContext({
      latencyHint: "playback",
      sinkId: { type: "none" },
    } as AudioContextOptions);
    const oscillator = new OscillatorNode(context, { frequency: tone });
    const volume = new GainNode(context, { gain: watched.loudness });
    watched.voices.push(volume);
    const destination = context.createMediaStreamDestination();
    oscillator.connect(volume).connect(destination);
    oscillator.start();
    await context.resume();
    return destination.stream;
  };
}

/** The script for a browser that Playwright doesn't drive. */
export function toWatchScript(tone?: number): string {
  return `(${prepareWindow})(${JSON.stringify({ tone, fftSize: FFT_SIZE })})`;
}

/** Before a page of the context is opened. `tone`: what the microphone gives, in Hz; without it the device's own sound. */
export async function watchPeers(context: BrowserContext, tone?: number): Promise<void> {
  await context.addInitScript(prepareWindow, { tone, fftSize: FFT_SIZE });
}

function changeTalking(isTalking: boolean): void {
  const { foyerWatched: watched } = window as unknown as WatchedWindow;
  watched.loudness = isTalking ? 0.3 : 0;
  for (const { gain } of watched.voices) gain.value = watched.loudness;
}

/** Who talks gives their tone; who doesn't is silent, with the microphone on. */
export async function setTalking(page: Evaluating, isTalking: boolean): Promise<void> {
  await page.evaluate(changeTalking, isTalking);
}

async function readInPage(): Promise<PeerFigures> {
  const figures: PeerFigures = { count: 0, packetsSent: 0, packetsReceived: 0, paths: [] };
  for (const peer of (window as unknown as WatchedWindow).foyerWatched.peers) {
    // A spare one that nobody has used yet.
    if (!peer.localDescription) continue;
    figures.count += 1;
    const stats = await peer.getStats();
    // biome-ignore lint/suspicious/noExplicitAny: rows of many kinds, of which a few fields are read
    stats.forEach((row: any) => {
      if (row.type === "inbound-rtp") figures.packetsReceived += row.packetsReceived ?? 0;
      else if (row.type === "outbound-rtp") figures.packetsSent += row.packetsSent ?? 0;
      else if (row.type === "transport") {
        const pair = stats.get(row.selectedCandidatePairId);
        if (pair) figures.paths.push(stats.get(pair.localCandidateId)?.candidateType);
      }
    });
  }
  return figures;
}

export function readPeers(page: Evaluating): Promise<PeerFigures> {
  return page.evaluate(readInPage, undefined);
}

/** Loudness above which a tone counts as heard: far above what the codec adds, far below one voice. */
const HEARD_DB = -45;

function findTonesInPage({ tones, heardDb }: { tones: readonly number[]; heardDb: number }): number[] {
  const heard = new Set<number>();
  for (const analyser of (window as unknown as WatchedWindow).foyerWatched.outputs) {
    const spectrum = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(spectrum);
    const width = analyser.context.sampleRate / analyser.fftSize;
    for (const tone of tones) {
      const bin = Math.round(tone / width);
      if (Math.max(...spectrum.slice(bin - 1, bin + 2)) > heardDb) heard.add(tone);
    }
  }
  return [...heard].sort((one, other) => one - other);
}

/** Which of these tones the page's loudspeaker gives at this moment. */
export function findTones(page: Evaluating, tones: readonly number[]): Promise<number[]> {
  return page.evaluate(findTonesInPage, { tones, heardDb: HEARD_DB });
}
