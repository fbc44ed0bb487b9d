package code_test

func badChild() {}
