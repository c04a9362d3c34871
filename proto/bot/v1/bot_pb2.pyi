from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_CHOOSING: _ClassVar[Phase]
    PHASE_DEVELOPMENT: _ClassVar[Phase]
    PHASE_CONFLICT: _ClassVar[Phase]
    PHASE_SCORING: _ClassVar[Phase]
    PHASE_OVER: _ClassVar[Phase]

class StrikeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STRIKE_KIND_UNSPECIFIED: _ClassVar[StrikeKind]
    STRIKE_KIND_TIME: _ClassVar[StrikeKind]
    STRIKE_KIND_ILLEGAL_ACTION: _ClassVar[StrikeKind]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_AGE_BEGAN: _ClassVar[EventKind]
    EVENT_KIND_POWER_CHOSEN: _ClassVar[EventKind]
    EVENT_KIND_PAWNS_TAKEN: _ClassVar[EventKind]
    EVENT_KIND_TURN_ORDER: _ClassVar[EventKind]
    EVENT_KIND_PAWN_PLACED: _ClassVar[EventKind]
    EVENT_KIND_EAGLE_PLACED: _ClassVar[EventKind]
    EVENT_KIND_PAWN_MOVED: _ClassVar[EventKind]
    EVENT_KIND_POWER_REVEALED: _ClassVar[EventKind]
    EVENT_KIND_BATTLE_DECLARED: _ClassVar[EventKind]
    EVENT_KIND_COEXISTENCE: _ClassVar[EventKind]
    EVENT_KIND_TLATOANI_PLAYED: _ClassVar[EventKind]
    EVENT_KIND_GAMES_PLAYED: _ClassVar[EventKind]
    EVENT_KIND_PAWNS_REMOVED: _ClassVar[EventKind]
    EVENT_KIND_CONFLICT_TIED: _ClassVar[EventKind]
    EVENT_KIND_CARD_DRAWN: _ClassVar[EventKind]
    EVENT_KIND_NO_CARD_LEFT: _ClassVar[EventKind]
    EVENT_KIND_DECK_RESHUFFLED: _ClassVar[EventKind]
    EVENT_KIND_BLESSING_PLAYED: _ClassVar[EventKind]
    EVENT_KIND_RAFT_PLAYED: _ClassVar[EventKind]
    EVENT_KIND_RAFT_PLAYED_EVERYWHERE: _ClassVar[EventKind]
    EVENT_KIND_TYPE_NAMED: _ClassVar[EventKind]
    EVENT_KIND_DOMAIN_SCORED: _ClassVar[EventKind]
    EVENT_KIND_AGE_SCORED: _ClassVar[EventKind]
    EVENT_KIND_END_SCORED: _ClassVar[EventKind]
    EVENT_KIND_FACTIONS_SWAPPED: _ClassVar[EventKind]
    EVENT_KIND_GAME_OVER: _ClassVar[EventKind]
    EVENT_KIND_PHASE_BEGAN: _ClassVar[EventKind]
    EVENT_KIND_BATTLE_WON: _ClassVar[EventKind]
PHASE_UNSPECIFIED: Phase
PHASE_CHOOSING: Phase
PHASE_DEVELOPMENT: Phase
PHASE_CONFLICT: Phase
PHASE_SCORING: Phase
PHASE_OVER: Phase
STRIKE_KIND_UNSPECIFIED: StrikeKind
STRIKE_KIND_TIME: StrikeKind
STRIKE_KIND_ILLEGAL_ACTION: StrikeKind
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_AGE_BEGAN: EventKind
EVENT_KIND_POWER_CHOSEN: EventKind
EVENT_KIND_PAWNS_TAKEN: EventKind
EVENT_KIND_TURN_ORDER: EventKind
EVENT_KIND_PAWN_PLACED: EventKind
EVENT_KIND_EAGLE_PLACED: EventKind
EVENT_KIND_PAWN_MOVED: EventKind
EVENT_KIND_POWER_REVEALED: EventKind
EVENT_KIND_BATTLE_DECLARED: EventKind
EVENT_KIND_COEXISTENCE: EventKind
EVENT_KIND_TLATOANI_PLAYED: EventKind
EVENT_KIND_GAMES_PLAYED: EventKind
EVENT_KIND_PAWNS_REMOVED: EventKind
EVENT_KIND_CONFLICT_TIED: EventKind
EVENT_KIND_CARD_DRAWN: EventKind
EVENT_KIND_NO_CARD_LEFT: EventKind
EVENT_KIND_DECK_RESHUFFLED: EventKind
EVENT_KIND_BLESSING_PLAYED: EventKind
EVENT_KIND_RAFT_PLAYED: EventKind
EVENT_KIND_RAFT_PLAYED_EVERYWHERE: EventKind
EVENT_KIND_TYPE_NAMED: EventKind
EVENT_KIND_DOMAIN_SCORED: EventKind
EVENT_KIND_AGE_SCORED: EventKind
EVENT_KIND_END_SCORED: EventKind
EVENT_KIND_FACTIONS_SWAPPED: EventKind
EVENT_KIND_GAME_OVER: EventKind
EVENT_KIND_PHASE_BEGAN: EventKind
EVENT_KIND_BATTLE_WON: EventKind

class BotMessage(_message.Message):
    __slots__ = ("hello", "decision", "pong")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    decision: Decision
    pong: Pong
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., decision: _Optional[_Union[Decision, _Mapping]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ...) -> None: ...

class HostMessage(_message.Message):
    __slots__ = ("match_start", "decision_request", "strike", "game_over", "ping")
    MATCH_START_FIELD_NUMBER: _ClassVar[int]
    DECISION_REQUEST_FIELD_NUMBER: _ClassVar[int]
    STRIKE_FIELD_NUMBER: _ClassVar[int]
    GAME_OVER_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    match_start: MatchStart
    decision_request: DecisionRequest
    strike: Strike
    game_over: GameOver
    ping: Ping
    def __init__(self, match_start: _Optional[_Union[MatchStart, _Mapping]] = ..., decision_request: _Optional[_Union[DecisionRequest, _Mapping]] = ..., strike: _Optional[_Union[Strike, _Mapping]] = ..., game_over: _Optional[_Union[GameOver, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_version", "bot_name")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    bot_name: str
    def __init__(self, protocol_version: _Optional[int] = ..., bot_name: _Optional[str] = ...) -> None: ...

class MatchStart(_message.Message):
    __slots__ = ("match_id", "seat", "seats", "ruleset", "board", "clocks", "seed_commitment")
    class RulesetEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    SEED_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    seats: int
    ruleset: _containers.ScalarMap[str, str]
    board: Board
    clocks: Clocks
    seed_commitment: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., ruleset: _Optional[_Mapping[str, str]] = ..., board: _Optional[_Union[Board, _Mapping]] = ..., clocks: _Optional[_Union[Clocks, _Mapping]] = ..., seed_commitment: _Optional[str] = ...) -> None: ...

class Board(_message.Message):
    __slots__ = ("id", "hash", "territories", "types", "type_of", "borders", "shores", "card_types", "card_values", "names")
    ID_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    TERRITORIES_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    TYPE_OF_FIELD_NUMBER: _ClassVar[int]
    BORDERS_FIELD_NUMBER: _ClassVar[int]
    SHORES_FIELD_NUMBER: _ClassVar[int]
    CARD_TYPES_FIELD_NUMBER: _ClassVar[int]
    CARD_VALUES_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    id: str
    hash: str
    territories: _containers.RepeatedScalarFieldContainer[str]
    types: _containers.RepeatedScalarFieldContainer[str]
    type_of: _containers.RepeatedScalarFieldContainer[int]
    borders: _containers.RepeatedScalarFieldContainer[int]
    shores: _containers.RepeatedScalarFieldContainer[int]
    card_types: _containers.RepeatedScalarFieldContainer[int]
    card_values: _containers.RepeatedScalarFieldContainer[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., hash: _Optional[str] = ..., territories: _Optional[_Iterable[str]] = ..., types: _Optional[_Iterable[str]] = ..., type_of: _Optional[_Iterable[int]] = ..., borders: _Optional[_Iterable[int]] = ..., shores: _Optional[_Iterable[int]] = ..., card_types: _Optional[_Iterable[int]] = ..., card_values: _Optional[_Iterable[int]] = ..., names: _Optional[_Iterable[str]] = ...) -> None: ...

class Clocks(_message.Message):
    __slots__ = ("startup_ms", "bank_ms", "increment_ms", "decision_ms")
    STARTUP_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    startup_ms: int
    bank_ms: int
    increment_ms: int
    decision_ms: int
    def __init__(self, startup_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., decision_ms: _Optional[int] = ...) -> None: ...

class DecisionRequest(_message.Message):
    __slots__ = ("request_id", "observation", "legal_actions", "events", "time_left_ms", "time_limit_ms")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    request_id: int
    observation: Observation
    legal_actions: _containers.RepeatedScalarFieldContainer[int]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    time_left_ms: int
    time_limit_ms: int
    def __init__(self, request_id: _Optional[int] = ..., observation: _Optional[_Union[Observation, _Mapping]] = ..., legal_actions: _Optional[_Iterable[int]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., time_left_ms: _Optional[int] = ..., time_limit_ms: _Optional[int] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("seat", "seats", "age", "phase", "step", "to_act", "order", "side_of", "pawns", "reserve", "removed", "pool", "scores", "arrivals", "used", "power", "chosen", "own_power", "hand", "hand_sizes", "deck_size", "discard", "settled", "claims", "battle", "battle_by", "spared", "eagle_used", "placed", "pending", "rafts", "raft_all")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    AGE_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    TO_ACT_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SIDE_OF_FIELD_NUMBER: _ClassVar[int]
    PAWNS_FIELD_NUMBER: _ClassVar[int]
    RESERVE_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    ARRIVALS_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    POWER_FIELD_NUMBER: _ClassVar[int]
    CHOSEN_FIELD_NUMBER: _ClassVar[int]
    OWN_POWER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    DECK_SIZE_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    BATTLE_FIELD_NUMBER: _ClassVar[int]
    BATTLE_BY_FIELD_NUMBER: _ClassVar[int]
    SPARED_FIELD_NUMBER: _ClassVar[int]
    EAGLE_USED_FIELD_NUMBER: _ClassVar[int]
    PLACED_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    RAFTS_FIELD_NUMBER: _ClassVar[int]
    RAFT_ALL_FIELD_NUMBER: _ClassVar[int]
    seat: int
    seats: int
    age: int
    phase: Phase
    step: int
    to_act: int
    order: _containers.RepeatedScalarFieldContainer[int]
    side_of: _containers.RepeatedScalarFieldContainer[int]
    pawns: _containers.RepeatedScalarFieldContainer[int]
    reserve: _containers.RepeatedScalarFieldContainer[int]
    removed: _containers.RepeatedScalarFieldContainer[int]
    pool: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    arrivals: _containers.RepeatedScalarFieldContainer[int]
    used: _containers.RepeatedScalarFieldContainer[int]
    power: _containers.RepeatedScalarFieldContainer[int]
    chosen: _containers.RepeatedScalarFieldContainer[int]
    own_power: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    deck_size: int
    discard: _containers.RepeatedScalarFieldContainer[int]
    settled: int
    claims: _containers.RepeatedScalarFieldContainer[int]
    battle: int
    battle_by: int
    spared: int
    eagle_used: int
    placed: _containers.RepeatedScalarFieldContainer[int]
    pending: int
    rafts: _containers.RepeatedScalarFieldContainer[int]
    raft_all: int
    def __init__(self, seat: _Optional[int] = ..., seats: _Optional[int] = ..., age: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., step: _Optional[int] = ..., to_act: _Optional[int] = ..., order: _Optional[_Iterable[int]] = ..., side_of: _Optional[_Iterable[int]] = ..., pawns: _Optional[_Iterable[int]] = ..., reserve: _Optional[_Iterable[int]] = ..., removed: _Optional[_Iterable[int]] = ..., pool: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., arrivals: _Optional[_Iterable[int]] = ..., used: _Optional[_Iterable[int]] = ..., power: _Optional[_Iterable[int]] = ..., chosen: _Optional[_Iterable[int]] = ..., own_power: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., deck_size: _Optional[int] = ..., discard: _Optional[_Iterable[int]] = ..., settled: _Optional[int] = ..., claims: _Optional[_Iterable[int]] = ..., battle: _Optional[int] = ..., battle_by: _Optional[int] = ..., spared: _Optional[int] = ..., eagle_used: _Optional[int] = ..., placed: _Optional[_Iterable[int]] = ..., pending: _Optional[int] = ..., rafts: _Optional[_Iterable[int]] = ..., raft_all: _Optional[int] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("request_id", "action", "note")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    request_id: int
    action: int
    note: str
    def __init__(self, request_id: _Optional[int] = ..., action: _Optional[int] = ..., note: _Optional[str] = ...) -> None: ...

class Strike(_message.Message):
    __slots__ = ("request_id", "kind", "reason", "action", "strikes", "strikes_allowed")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    STRIKES_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    request_id: int
    kind: StrikeKind
    reason: str
    action: int
    strikes: int
    strikes_allowed: int
    def __init__(self, request_id: _Optional[int] = ..., kind: _Optional[_Union[StrikeKind, str]] = ..., reason: _Optional[str] = ..., action: _Optional[int] = ..., strikes: _Optional[int] = ..., strikes_allowed: _Optional[int] = ...) -> None: ...

class GameOver(_message.Message):
    __slots__ = ("placements", "scores", "seed")
    PLACEMENTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    placements: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    seed: bytes
    def __init__(self, placements: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., seed: _Optional[bytes] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("ping_id",)
    PING_ID_FIELD_NUMBER: _ClassVar[int]
    ping_id: int
    def __init__(self, ping_id: _Optional[int] = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ("ping_id",)
    PING_ID_FIELD_NUMBER: _ClassVar[int]
    ping_id: int
    def __init__(self, ping_id: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("kind", "values")
    KIND_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    kind: EventKind
    values: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[_Union[EventKind, str]] = ..., values: _Optional[_Iterable[int]] = ...) -> None: ...
