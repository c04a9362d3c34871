// Sounds of the game, made on the spot: no files, and silent until somebody asks for them.
const KEY = "arena-sound";
const NOTES = { // frequency in Hz, start and length in seconds, shape of the wave
  pawn_placed: [[196, 0, 0.07, "triangle"]],
  eagle_placed: [[196, 0, 0.07, "triangle"], [294, 0.08, 0.09, "triangle"]],
  pawn_moved: [[165, 0, 0.06, "triangle"], [220, 0.07, 0.06, "triangle"]],
  power_revealed: [[330, 0, 0.1, "sine"], [440, 0.1, 0.16, "sine"]],
  battle_declared: [[82, 0, 0.25, "sawtooth"], [65, 0.12, 0.3, "sawtooth"]],
  coexistence: [[262, 0, 0.3, "sine"], [330, 0, 0.3, "sine"]],
  conflict_tied: [[247, 0, 0.25, "sine"], [262, 0, 0.25, "sine"]],
  pawns_removed: [[110, 0.1, 0.25, "square"]],
  age_scored: [[262, 0, 0.1, "sine"], [330, 0.09, 0.1, "sine"], [392, 0.18, 0.18, "sine"]],
  game_over: [[262, 0, 0.16, "triangle"], [330, 0.15, 0.16, "triangle"], [392, 0.3, 0.16, "triangle"], [523, 0.45, 0.5, "triangle"]],
};

export class Sound {
  constructor() {
    this.isOn = false;
    try {
      this.isOn = localStorage.getItem(KEY) === "on";
    } catch { /* a reader who stores nothing starts in silence */ }
  }

  toggle() {
    this.isOn = !this.isOn;
    try {
      localStorage.setItem(KEY, this.isOn ? "on" : "off");
    } catch { /* then it is asked for again */ }
    if (this.isOn) this.play([{ kind: "age_scored" }]);
    return this.isOn;
  }

  play(events) {
    if (!this.isOn || navigator.userActivation?.hasBeenActive === false) return; // browsers play nothing before the first click
    const heard = events.find((event) => NOTES[event.kind] && event.kind !== "pawns_removed") ?? events.find((event) => NOTES[event.kind]);
    if (!heard) return;
    this.context ??= new AudioContext();
    for (const note of NOTES[heard.kind]) this.note(...note);
  }

  note(frequency, start, length, type) {
    const { context } = this;
    const at = context.currentTime + start;
    const tone = new OscillatorNode(context, { frequency, type });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
