package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Slides every board of boards.txt by the rules of the kit.
func TestSlides(t *testing.T) {
	boards, err := os.ReadFile("boards.txt")
	if err != nil {
		t.Fatal(err)
	}
	var slides strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(string(boards)), "\n") {
		words := strings.Fields(line)
		side := 2
		for side*side < len(words) {
			side++
		}
		board := make(Board, side)
		for cell, word := range words {
			tile := 0
			fmt.Sscan(word, &tile)
			board[cell/side] = append(board[cell/side], tile)
		}
		for _, direction := range directions {
			after, gain := slide(board, direction)
			if isLegal := strings.Contains(strings.Join(legalMoves(board), " "), direction); isLegal != (after != nil) {
				t.Fatal(line, direction)
			}
			if after == nil {
				fmt.Fprintln(&slides, "-")
				continue
			}
			fmt.Fprint(&slides, gain)
			for _, row := range after {
				for _, tile := range row {
					fmt.Fprint(&slides, " ", tile)
				}
			}
			fmt.Fprintln(&slides)
		}
	}
	if err := os.WriteFile("slides.txt", []byte(slides.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
