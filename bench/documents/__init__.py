"""What is measured: the usual documents or look-alikes of them, and values that show one thing each."""
