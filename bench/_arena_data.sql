-- Made-up data of an arena that has run for years: 20,000 bots, 100,000 versions, 1,000,000 matches.
-- The first five are house bots and sit in every fifth match, so that some bots have played very often.
set session_replication_role = replica;
set statement_timeout = 0;
set maintenance_work_mem = '256MB';

insert into accounts_user (id, password, is_superuser, username, first_name, last_name, is_staff, is_active, date_joined, email,
    email_confirmed_at, about, mails_notices, is_organiser)
select i, '!', false, 'author' || i, '', '', false, true, now(), 'author' || i || '@example.org', now(), '', true, false
from generate_series(1, 5000) i;

insert into bots_bot (id, owner_id, slug, name, description, activates_itself, is_house, benched_reason, disqualified_reason,
    created_at, active_version_id)
select i, 1 + i % 5000, 'bot-' || i, (array['Jaguar', 'Quetzal', 'Axolotl', 'Ocelot', 'Coyote'])[1 + i % 5] || ' ' || i,
    'It plays, and it has a description of a usual length, as authors write them.', true, i <= 5, '', '', now(), i * 5
from generate_series(1, 20000) i;

insert into bots_version (id, bot_id, number, sha256, archive, size, runtime, language, manifest, status, code, reason, built_archive, pinned_runtime, created_at)
select i, (i + 4) / 5, 1 + (i + 4) % 5, md5(i::text) || md5(i::text), 'archives/' || i, 5000, 'python', 'python',
    '{"name": "bot", "entry": "bot.py", "runtime": "python"}', case when i % 5 = 0 then 'active' else 'validated' end, '', '', '', '', now()
from generate_series(1, 100000) i;

insert into bots_versionevent (version_id, status, at, code, reason, log)
select i, s, now(), '', '', repeat('line of a log' || chr(10), 20)
from generate_series(1, 100000) i, unnest(array['received', 'checked', 'built', 'validated', 'active']) s where i <= 20000;

insert into matches_match (id, public_id, purpose, purpose_id, seats, ruleset, board_id, board_hash, clocks, seed, seed_commitment, state,
    rated, attempts_allowed, created_at, started_at, finished_at)
select i, lpad(to_hex(i), 10, '0'),
    case when i % 100 < 90 then 'ladder' when i % 100 < 98 then 'challenge' when i % 100 = 98 then 'tournament' else 'validation' end,
    1 + i % 6, 2 + i % 3,
    '{"tie": "lowest", "name": "english", "eagle": "any", "rafts": "pair", "landing": "stack", "offerings": "new_set", "empty_deck": "reshuffle"}',
    'aztlan', md5('board') || md5('board'),
    '{"bank_ms": 30000, "startup_ms": 10000, "decision_ms": 5000, "increment_ms": 100}',
    decode(md5(i::text) || md5(i::text), 'hex'), md5(i::text) || md5(i::text),
    case when i > 999900 then 'queued' when i > 999890 then 'running' when i % 5000 = 7 then 'voided' when i % 50000 = 9 then 'set_aside'
        else 'finished' end,
    i % 100 < 90, 5, now() - (1000000 - i) * interval '1 minute', now(), now()
from generate_series(1, 1000000) i;

insert into matches_matchseat (match_id, seat, version_id, purpose, placement, score, fault, fault_reason, strikes, time_used_ms)
select i, s, 5 * (case when s = 0 and i % 5 = 0 then 1 + i % 25 / 5 else 6 + (i::bigint * 7919 + s * 6007) % 19994 end),
    case when i % 100 < 90 then 'ladder' when i % 100 < 98 then 'challenge' when i % 100 = 98 then 'tournament' else 'validation' end,
    case when i <= 999890 then 1 + (s + i) % (2 + i % 3) end, case when i <= 999890 then 100 - 9 * s + i % 7 end, '', '', 0, 1234
from generate_series(1, 1000000) i, generate_series(0, 1 + i % 3) s;

set session_replication_role = default;
