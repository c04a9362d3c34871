// A bot that grows: it places pawns next to its own, and takes land where nobody else stands.
//
// It speaks JSON lines: one message per line on stdin, one answer per line on stdout; stderr is its log.
// Change choose. Only Go's standard library is there: modules are not fetched.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"time"
)

const (
	blessing = 16 // and 17, 18
	place    = 64
	battle   = 192
	coexist  = 256
)

// Message is what the host says; docs/json-lines.md explains every key.
type Message struct {
	Type         string      `json:"type"`
	Seat         int         `json:"seat"`
	Board        Board       `json:"board"`
	RequestID    int         `json:"request_id"`
	Observation  Observation `json:"observation"`
	LegalActions []int       `json:"legal_actions"`
	Reason       string      `json:"reason"`
}

// Board is what is played on.
type Board struct {
	Neighbours [][]int `json:"neighbours"`
}

// Observation is what your seat may know. Add the fields that you need.
type Observation struct {
	Seats  int   `json:"seats"`
	SideOf []int `json:"side_of"`
	Pawns  []int `json:"pawns"`
}

// Decision is the answer to a decision request.
type Decision struct {
	Type      string `json:"type"`
	RequestID int    `json:"request_id"`
	Action    int    `json:"action"`
}

func choose(start Message, seen Observation, legal []int) int {
	if legal[0] >= place && legal[0] < place+len(start.Board.Neighbours) {
		return place + pick(wanted(start, seen))
	}
	for _, action := range legal {
		if (action >= battle && action < coexist) || (action >= blessing && action < blessing+3) {
			return action
		}
	}
	return legal[0] // where passing is allowed it comes first
}

// wanted returns empty territories next to our own; else any empty ones; else all.
func wanted(start Message, seen Observation) []int {
	size, side := len(start.Board.Neighbours), seen.SideOf[start.Seat]
	var near, empty, all []int
	for t := 0; t < size; t++ {
		all = append(all, t)
		taken := false
		for s := 0; s < seen.Seats; s++ {
			taken = taken || seen.Pawns[s*size+t] > 0
		}
		if taken {
			continue
		}
		empty = append(empty, t)
		for _, other := range start.Board.Neighbours[t] {
			if seen.Pawns[side*size+other] > 0 {
				near = append(near, t)
				break
			}
		}
	}
	if len(near) > 0 {
		return near
	}
	if len(empty) > 0 {
		return empty
	}
	return all
}

func pick(list []int) int { return list[rand.Intn(len(list))] }

func main() {
	rand.Seed(time.Now().UnixNano())
	output := json.NewEncoder(os.Stdout) // it writes whole lines
	output.Encode(map[string]string{"type": "hello", "name": "my-bot"})
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<22)
	var start Message
	for input.Scan() {
		var message Message
		if err := json.Unmarshal(input.Bytes(), &message); err != nil {
			fmt.Fprintln(os.Stderr, "unreadable:", err)
			os.Exit(1)
		}
		switch message.Type {
		case "match_start":
			start = message
		case "decision_request":
			action := choose(start, message.Observation, message.LegalActions)
			output.Encode(Decision{"decision", message.RequestID, action})
		case "strike":
			fmt.Fprintln(os.Stderr, "strike:", message.Reason)
		case "game_over":
			return
		}
	}
}
